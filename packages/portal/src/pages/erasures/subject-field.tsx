/** Whom an erasure is of: an address, or an account that is typed or found by name. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ExplainedChoices, TextField, type ExplainedChoice } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import { narrowed, OptionList, Popover, type Option } from '../../ui/picker.tsx';
import { useFoundPeople, usePeople } from '../tickets/people.ts';

export type SubjectKind = 'email' | 'userId';

const KINDS: readonly ExplainedChoice<SubjectKind>[] = [
  {
    value: 'email',
    name: 'By e-mail address',
    words: 'Somebody who reports without an account, or is in the directory with this address.',
  },
  {
    value: 'userId',
    name: 'By account',
    words: 'Somebody who signs in. The directory may know an address of theirs: it goes too.',
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
          hint="As the sign-in has it. A ticket shows it at “Raised by”, to the pointer."
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
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Option | null>(null);
  const { items } = useFoundPeople(usePeople(), anchor === null ? '' : text);
  const options = items.map(({ userId, name }): Option => ({
    value: userId,
    label: name,
    hint: <span class="faint small">{userId}</span>,
  }));
  const close = () => {
    setAnchor(null);
    setText('');
    button.current?.focus();
  };
  return (
    <div class="row">
      <button
        ref={button}
        type="button"
        class="button"
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="search" />
        Find by name
      </button>
      {found !== null && <span role="status">Found: {found.label}</span>}
      {anchor !== null && (
        <Popover anchor={anchor} label="Find by name" onClose={close}>
          <OptionList
            label="Find by name"
            placeholder="Name"
            options={narrowed(options, text)}
            onText={setText}
            onChoose={(option) => {
              setFound(option);
              onFound(option.value);
              close();
            }}
          />
        </Popover>
      )}
    </div>
  );
};
