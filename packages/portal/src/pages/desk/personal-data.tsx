import type { JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { TextField } from '../../ui/fields.tsx';
import { withMember, type EditorParts } from './document.ts';
import { useErrorsAt } from './errors.ts';

/** How long closed tickets retain names and texts. */
export const PersonalDataTerm = ({ of, onChange }: EditorParts): JSX.Element => {
  const errorAt = useErrorsAt('personalDataMonths');
  const months = of.personalDataMonths;
  return (
    <Card title="Personal data">
      <p class="faint small below">
        Names, addresses, texts and files are erased from tickets that were closed or cancelled and
        have not changed for this many months. This also covers old tickets, starts within an hour
        of saving, and cannot be undone.
      </p>
      <div class="fields">
        <TextField
          label="Months until personal data expires"
          hint="From 1 to 120. Blank: never."
          type="number"
          min={1}
          max={120}
          value={months === undefined ? '' : String(months)}
          onValue={(text) =>
            onChange(withMember(of, 'personalDataMonths', text === '' ? undefined : Number(text)))
          }
          error={errorAt('')}
        />
      </div>
    </Card>
  );
};
