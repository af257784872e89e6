import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { withMember, type Calendar, type Configuration, type EditorParts } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { useClosing } from './half-typed.ts';
import { Holidays } from './holidays.tsx';
import { dayWords, minutesIn, spokenDay, writtenDay, type Interval } from './intervals.ts';
import { useStableKeys } from './stable-keys.ts';
import { useTyped } from './typed.ts';
import { WEEKDAYS, WeekGrid, type Weekday } from './week-grid.tsx';

const zones = Intl.supportedValuesOf('timeZone');

const OFFICE = [['09:00', '17:00']] as const satisfies readonly (readonly [string, string])[];

/** Renames a calendar, also in the policies that refer to it. */
const renamed = (of: Configuration, name: string, next: string): Configuration => ({
  ...of,
  calendars: Object.fromEntries(
    Object.entries(of.calendars).map(([key, calendar]) => [key === name ? next : key, calendar]),
  ),
  slaPolicies: of.slaPolicies.map((policy) =>
    policy.calendar === name ? { ...policy, calendar: next } : policy,
  ),
});

const free = (of: Configuration): string => {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Office hours' : `Office hours ${number}`;
    if (!Object.hasOwn(of.calendars, name)) return name;
  }
};

/** The business hours in which SLA clocks run. */
export const HoursEditor = ({
  of,
  onChange,
  shown,
}: EditorParts & {
  /** The name of the calendar to open, from the link of a refusal. */
  readonly shown: string | null;
}): JSX.Element => {
  const names = Object.keys(of.calendars);
  const [selected, setChosen] = useState(shown);
  const stable = useStableKeys(names.length);
  const closing = useClosing();
  const chosen = selected !== null && Object.hasOwn(of.calendars, selected) ? selected : names[0];
  const add = () => {
    const name = free(of);
    const [monday, tuesday, wednesday, thursday, friday] = Array.from({ length: 5 }, () =>
      OFFICE.map(([from, until]): [string, string] => [from, until]),
    );
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const weekly = { monday, tuesday, wednesday, thursday, friday } as Calendar['weekly'];
    const calendar: Calendar = { timeZone, weekly, holidays: [] };
    onChange({ ...of, calendars: { ...of.calendars, [name]: calendar } });
    stable.onAdded();
    setChosen(name);
  };
  return (
    <>
      <Card
        title="Business hours"
        actions={
          <Button icon="plus" onPress={() => closing(add)}>
            Add a calendar
          </Button>
        }
      >
        {chosen === undefined ? (
          <p class="faint">None: every service level counts around the clock.</p>
        ) : (
          <>
            {names.length > 1 && (
              <div class="row below" role="group" aria-label="Calendars">
                {names.map((name) => (
                  <button
                    key={name}
                    type="button"
                    class="button"
                    aria-pressed={name === chosen}
                    onClick={() => closing(() => setChosen(name))}
                  >
                    {name}
                  </button>
                ))}
              </div>
            )}
            <CalendarFields
              key={stable.keys[names.indexOf(chosen)]!}
              name={chosen}
              of={of}
              onChange={onChange}
              onName={setChosen}
              onRemove={() => stable.onRemoved(names.indexOf(chosen))}
            />
          </>
        )}
      </Card>
      <ReportsZone of={of} onChange={onChange} />
    </>
  );
};

/** The time zone in which the days of reports begin. */
const ReportsZone = ({ of, onChange }: EditorParts): JSX.Element => {
  const errorAt = useErrorsAt('timeZone');
  return (
    <Card title="Reports">
      <div class="fields">
        <TextField
          label="Time zone of reports"
          hint="The time zone of the days in reports. Blank: UTC."
          value={of.timeZone ?? ''}
          list={zones}
          onValue={(text) => onChange(withMember(of, 'timeZone', text === '' ? undefined : text))}
          error={errorAt('')}
        />
      </div>
    </Card>
  );
};

const CalendarFields = ({
  name,
  of,
  onChange,
  onName,
  onRemove,
}: EditorParts & {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onRemove: () => void;
}): JSX.Element => {
  const calendar = of.calendars[name]!;
  const errorAt = useErrorsAt(`calendars.${name}`);
  const nameProblem = (typed: string) => {
    if (typed.trim() === '') return 'Must not be blank';
    const isInUse = typed !== name && Object.hasOwn(of.calendars, typed);
    return isInUse ? 'Another calendar has this name' : undefined;
  };
  const naming = useTyped({
    value: name,
    typedOf: (text) => text,
    read: (typed) => (nameProblem(typed) === undefined ? { value: typed } : null),
    onValue(next) {
      onChange(renamed(of, name, next));
      onName(next);
    },
  });
  const set = (next: Partial<Calendar>) =>
    onChange({ ...of, calendars: { ...of.calendars, [name]: { ...calendar, ...next } } });
  const setDays = (days: readonly (readonly [Weekday, readonly Interval[]])[]) =>
    set({
      weekly: {
        ...calendar.weekly,
        ...Object.fromEntries(days.map(([day, hours]) => [day, writtenDay(hours)])),
      },
    });
  const users = of.slaPolicies.filter((policy) => policy.calendar === name);
  const remove = () => {
    const { [name]: _, ...calendars } = of.calendars;
    onRemove();
    onChange({ ...of, calendars });
  };
  return (
    <div class="stack">
      <div class="fields">
        <TextField
          label="Name"
          value={naming.typed}
          error={nameProblem(naming.typed) ?? errorAt('.name')}
          onValue={naming.onTyped}
        />
        <TextField
          label="Time zone"
          value={calendar.timeZone}
          list={zones}
          onValue={(timeZone) => set({ timeZone })}
          error={errorAt('.timeZone')}
        />
      </div>
      <div class="week-and-days">
        <div>
          <h3>Open hours</h3>
          <p class="faint small">
            Drag over the times, or use the arrow keys: space opens or closes an hour, with shift a
            range.
          </p>
          <WeekGrid label={`Open hours of ${name}`} of={calendar.weekly} onDays={setDays} />
        </div>
        <div class="stack">
          <h3>The same as text</h3>
          {errorAt('.weekly') && <p class="field-error">{errorAt('.weekly')}</p>}
          {WEEKDAYS.map(([day, label]) => (
            <DayField
              key={day}
              label={label}
              of={minutesIn(calendar.weekly[day])}
              error={errorAt(`.weekly.${day}`)}
              onHours={(hours) => setDays([[day, hours]])}
            />
          ))}
          <Button
            onPress={() => {
              const monday = minutesIn(calendar.weekly.monday);
              setDays(WEEKDAYS.slice(1, 5).map(([day]) => [day, monday]));
            }}
          >
            Copy Monday’s hours to Friday
          </Button>
        </div>
      </div>
      <Holidays
        of={calendar.holidays}
        errorAt={errorAt}
        onChange={(holidays) => set({ holidays: [...holidays] })}
      />
      <div class="form-end">
        {users.length > 0 && (
          <p class="faint small">Used by {users.map((policy) => `“${policy.name}”`).join(', ')}.</p>
        )}
        <Button label={`Remove ${name}`} onPress={remove} isDisabled={users.length > 0}>
          Remove
        </Button>
      </div>
    </div>
  );
};

const DayField = ({
  label,
  of,
  error,
  onHours,
}: {
  readonly label: string;
  readonly of: readonly Interval[];
  readonly error: string | undefined;
  readonly onHours: (hours: readonly Interval[]) => void;
}): JSX.Element => {
  const { typed, onTyped } = useTyped({
    value: of,
    onValue: onHours,
    typedOf: dayWords,
    read(text) {
      const hours = spokenDay(text);
      return typeof hours === 'string' ? null : { value: hours };
    },
  });
  const hours = spokenDay(typed);
  return (
    <TextField
      label={label}
      value={typed}
      placeholder="closed"
      error={typeof hours === 'string' ? hours : error}
      onValue={onTyped}
    />
  );
};
