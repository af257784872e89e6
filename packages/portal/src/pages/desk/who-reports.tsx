import type { JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { ExplainedChoices, type ExplainedChoice } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { withMember, type Configuration, type EditorParts } from './document.ts';
import { useErrorsAt } from './errors.ts';

type Access = NonNullable<Configuration['requesterAccess']>;

const CHOICES: readonly ExplainedChoice<Access>[] = [
  {
    value: 'off',
    name: 'Staff only',
    words: 'Requesters are told that they cannot report here, and labels open no form.',
  },
  {
    value: 'signed-in',
    name: 'Signed-in requesters',
    words: 'They report problems and follow their own tickets.',
  },
  {
    value: 'anyone',
    name: 'Anyone with a label',
    words: 'Whoever scans the label of a place reports there, without an account, too.',
  },
];

/** Which people besides the staff may report problems. */
export const WhoReports = ({ of, onChange }: EditorParts): JSX.Element => {
  const error = useErrorsAt('requesterAccess')('');
  return (
    <Card title="Reports">
      <ExplainedChoices
        label="Who may report a problem"
        choices={CHOICES}
        chosen={of.requesterAccess ?? 'off'}
        onValue={(access) =>
          onChange(withMember(of, 'requesterAccess', access === 'off' ? undefined : access))
        }
      />
      <Trouble error={error === undefined ? undefined : new Error(error)} />
    </Card>
  );
};
