import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { TIME_UNITS } from './draft.ts';

/** A duration: an amount and its unit. */
export const TimeField = ({
  label,
  value,
  unit,
  error,
  onValue,
  onUnit,
}: {
  readonly label: string;
  readonly value: string;
  /** The length of the unit in seconds. */
  readonly unit: string;
  readonly error?: string | undefined;
  readonly onValue: (value: string) => void;
  readonly onUnit: (unit: string) => void;
}): JSX.Element => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="duration">
        <input
          id={id}
          inputMode="decimal"
          autocomplete="off"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
          {...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
        />
        <select
          aria-label={`${label}: unit`}
          value={unit}
          onChange={(event) => onUnit(event.currentTarget.value)}
        >
          {TIME_UNITS.map(([seconds, name]) => (
            <option key={seconds} value={seconds} selected={seconds === unit}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
};
