import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Dialog } from '../../ui/controls.tsx';
import { CheckField } from '../../ui/fields.tsx';
import { timeNow } from '../../ui/now.ts';
import { daysOffIn, ICS_BYTES_MAX, type DaysOff } from './ics.ts';

const shownDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const dayName = (date: string): string => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : shownDay.format(at);
};

const together = (a: readonly string[], b: readonly string[]): readonly string[] =>
  [...new Set([...a, ...b])].toSorted();

/** Days on which the desk is closed all day. */
export const Holidays = ({
  of,
  errorAt,
  onChange,
}: {
  readonly of: readonly string[];
  readonly errorAt: (member: string) => string | undefined;
  readonly onChange: (holidays: readonly string[]) => void;
}): JSX.Element => {
  const [day, setDay] = useState('');
  const [found, setFound] = useState<DaysOff | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (!file) return;
    setProblem(null);
    try {
      if (file.size > ICS_BYTES_MAX) throw new Error('This file is larger than 1 MiB.');
      setFound(daysOffIn(await file.text(), new Date(timeNow()).getFullYear()));
    } catch (error) {
      setProblem((error as Error).message);
    }
    // Reset, so that the same file can be chosen again.
    input.value = '';
  };
  const add = () => {
    onChange(together(of, [day]));
    setDay('');
  };
  const years = [...Map.groupBy(of.toSorted(), (date) => date.slice(0, 4))];
  const problems = [problem, errorAt('.holidays')].filter((message) => message != null);
  return (
    <section class="stack">
      <h3>Holidays ({of.length})</h3>
      {problems.map((words) => (
        <p key={words} class="field-error" role="alert">
          {words}
        </p>
      ))}
      {years.map(([year, dates]) => (
        <details key={year} open={years.length <= 2}>
          <summary>
            {year}: {dates.length === 1 ? '1 day' : `${dates.length} days`}
          </summary>
          <ul class="row holidays">
            {dates.map((date) => (
              <li key={date} class="chip">
                {dayName(date)}
                <Button
                  kind="quiet"
                  icon="close"
                  label={`Remove ${dayName(date)}`}
                  onPress={() => onChange(of.filter((other) => other !== date))}
                />
              </li>
            ))}
          </ul>
        </details>
      ))}
      <div class="toolbar">
        <label class="field">
          Day
          <input type="date" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
        </label>
        <Button onPress={add} isDisabled={day === ''}>
          Add this day
        </Button>
        <label class="field wide">
          From a calendar file (.ics)
          <input
            type="file"
            accept=".ics,text/calendar"
            onChange={(event) => void read(event.currentTarget)}
          />
        </label>
      </div>
      {found && (
        <Import
          of={found}
          holidays={of}
          onClose={() => setFound(null)}
          onImport={(days) => {
            onChange(together(of, days));
            setFound(null);
          }}
        />
      )}
    </section>
  );
};

/** The days found in a file, selected before they are imported. */
const Import = ({
  of: { days, skipped, isCut },
  holidays,
  onClose,
  onImport,
}: {
  readonly of: DaysOff;
  readonly holidays: readonly string[];
  readonly onClose: () => void;
  readonly onImport: (days: readonly string[]) => void;
}): JSX.Element => {
  const fresh = days.filter(({ date }) => !holidays.includes(date));
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const selected = fresh.filter(({ date }) => !excluded.has(date)).map(({ date }) => date);
  const toggle = (date: string, isOn: boolean) => {
    const next = new Set(excluded);
    if (isOn) next.delete(date);
    else next.add(date);
    setExcluded(next);
  };
  return (
    <Dialog title="Holidays of the file" onClose={onClose}>
      <div class="stack">
        <p>
          {days.length} days, {days.length - fresh.length} of them known.
          {skipped > 0 &&
            ` ${skipped} events were left out because they have a time of day or an unsupported ` +
              'repetition.'}
          {isCut && ' The file has more events than can be read.'}
        </p>
        <ul class="found-days">
          {fresh.map(({ date, summary }) => (
            <li key={date}>
              <CheckField
                label={`${dayName(date)} ${summary}`}
                isChecked={!excluded.has(date)}
                onValue={(isOn) => toggle(date, isOn)}
              />
            </li>
          ))}
        </ul>
        <div class="form-end">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            onPress={() => onImport(selected)}
            isDisabled={selected.length === 0}
          >
            {selected.length === 1 ? 'Add 1 day' : `Add ${selected.length} days`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
