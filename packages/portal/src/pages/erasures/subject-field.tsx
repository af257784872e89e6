/** The subject of an erasure: an email address, or an account that is typed or found by name. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ExplainedChoices, TextField, type ExplainedChoice } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Option } from '../../ui/picker.tsx';
import { usePeople } from '../tickets/people.ts';
import { usePersonPicker } from '../tickets/person-picker.tsx';

export type SubjectKind = 'email' | 'userId';

const KINDS: readonly ExplainedChoice<SubjectKind>[] = [
  {
    value: 'email',
    name: 'By e-mail address',
    words:
      'A person who reports without an account, or whose entry in the list of people has ' +
      'this address.',
  },
  {
    value: 'userId',
    name: 'By account',
    words: 'A person who signs in. An address in their entry in the list of people is erased too.',
  },
];

export const SubjectField = ({
  kind,
  value,
  onKind,
  onValue,
  error,
}: {
  readonly kind: SubjectKind;
  readonly value: string;
  readonly onKind: (kind: SubjectKind) => void;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
}): JSX.Element => (
  <>
    <ExplainedChoices label="How they are found" choices={KINDS} chosen={kind} onValue={onKind} />
    {kind === 'email' ? (
      <TextField
        label="E-mail address"
        type="email"
        value={value}
        onValue={onValue}
        error={error}
        isRequired
      />
    ) : (
      <>
        <TextField
          label="User id"
          hint="The user id from the sign-in. A ticket shows it when you point at “Raised by”."
          value={value}
          onValue={onValue}
          error={error}
          isRequired
        />
        <FindAccount onFound={onValue} />
      </>
    )}
  </>
);

const FindAccount = ({ onFound }: { readonly onFound: (userId: string) => void }): JSX.Element => {
  const [found, setFound] = useState<Option | null>(null);
  const { button, list } = usePersonPicker({
    label: 'Find by name',
    people: usePeople(),
    onChoose(option) {
      setFound(option);
      onFound(option.value);
    },
  });
  return (
    <div class="row">
      <button {...button} type="button" class="button">
        <Icon name="search" />
        Find by name
      </button>
      {found !== null && <span role="status">Found: {found.label}</span>}
      {list}
    </div>
  );
};
