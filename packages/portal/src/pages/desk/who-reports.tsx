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
    words: 'Requesters see that they cannot report here, and labels open no form.',
  },
  {
    value: 'signed-in',
    name: 'Signed-in requesters',
    words: 'Signed-in requesters report problems and follow their own tickets.',
  },
  {
    value: 'anyone',
    name: 'Anyone with a label',
    words:
      'Anyone who scans the label of a place can also report a problem there without an ' +
      'account.',
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
