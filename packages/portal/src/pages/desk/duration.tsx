import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { numberIn } from '../../typed-number.ts';
import { useTyped } from './typed.ts';

const UNITS = [
  ['minutes', 1],
  ['hours', 60],
  ['days', 1_440],
] as const;
type Unit = (typeof UNITS)[number][0] | 'none';

const sizeOf = (unit: Unit): number => UNITS.find(([name]) => name === unit)?.[1] ?? 1;

/** The largest unit in which the duration is a whole number. */
const unitOf = (minutes: number | null): Unit =>
  minutes === null
    ? 'none'
    : (UNITS.findLast(([, size]) => minutes >= size && minutes % size === 0)?.[0] ?? 'minutes');

interface Duration {
  readonly text: string;
  readonly unit: Unit;
}

const typedOf = (minutes: number | null): Duration => {
  const unit = unitOf(minutes);
  return { text: minutes === null ? '' : String(minutes / sizeOf(unit)), unit };
};

const minutesIn = ({ text, unit }: Duration): { readonly value: number | null } | null => {
  if (unit === 'none') return { value: null };
  const number = numberIn(text);
  return number === null ? null : { value: Math.round(number * sizeOf(unit)) };
};

/** `1 d 2 h 5 min`; `no clock` for `null`. */
export const durationWords = (minutes: number | null): string => {
  if (minutes === null) return 'no clock';
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const parts = [days && `${days} d`, hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`];
  return parts.filter(Boolean).join(' ') || '0 min';
};

/** A duration in minutes, typed in a unit of choice. */
export const DurationField = ({
  label,
  value,
  onValue,
  error,
}: {
  readonly label: string;
  /** `null`: no clock. */
  readonly value: number | null;
  readonly onValue: (minutes: number | null) => void;
  readonly error?: string | undefined;
}): JSX.Element => {
  const id = useId();
  const { typed, onTyped, isHalfTyped } = useTyped({ value, onValue, typedOf, read: minutesIn });
  const { text, unit } = typed;
  const problem = isHalfTyped ? 'Enter a duration, or choose “no clock”' : error;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="duration">
        {unit !== 'none' && (
          <input
            id={id}
            inputMode="decimal"
            autocomplete="off"
            value={text}
            onInput={(event) => onTyped({ text: event.currentTarget.value, unit })}
            {...(problem && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
          />
        )}
        <select
          {...(unit === 'none' && { id })}
          aria-label={`${label}: unit`}
          value={unit}
          onChange={(event) => onTyped({ text, unit: event.currentTarget.value as Unit })}
        >
          {[...UNITS.map(([name]) => name), 'none'].map((name) => (
            <option key={name} value={name} selected={name === unit}>
              {name === 'none' ? 'no clock' : name}
            </option>
          ))}
        </select>
      </div>
      {problem && (
        <p class="field-error" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </div>
  );
};
