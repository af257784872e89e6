import type { JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { withMember, type EditorParts } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { NumberField } from './number-field.tsx';

/** How long closed tickets retain names and texts. */
export const PersonalDataTerm = ({ of, onChange }: EditorParts): JSX.Element => {
  const errorAt = useErrorsAt('personalDataMonths');
  return (
    <Card title="Personal data">
      <p class="faint small below">
        Names, addresses, texts and files are erased from tickets that were closed or cancelled and
        have not changed for this many months. This also covers old tickets, starts within an hour
        of saving, and cannot be undone.
      </p>
      <div class="fields">
        <NumberField
          label="Months until personal data expires"
          hint="From 1 to 120. Blank: never."
          value={of.personalDataMonths}
          onValue={(months) => onChange(withMember(of, 'personalDataMonths', months))}
          error={errorAt('')}
        />
      </div>
    </Card>
  );
};
