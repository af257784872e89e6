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
        A ticket that is closed or cancelled, and unchanged for so many months, loses names,
        addresses, texts and files. Nothing brings them back, and it begins within an hour of
        saving, with old tickets, too.
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
