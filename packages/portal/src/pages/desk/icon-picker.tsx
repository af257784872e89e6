/** The icon picker of a request type. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { TypeIcon, typeIconNames } from '../tickets/type-icon.tsx';

export const IconPicker = ({
  value,
  onValue,
  error,
}: {
  /** The first icon is shown if it is blank or unknown. */
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
}): JSX.Element => {
  const id = useId();
  const [first, ...others] = typeIconNames;
  const isDrawn = others.some((name) => name === value);
  return (
    <fieldset class="icon-picker" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Icon</legend>
      {[first!, ...others].map((name, at) => (
        <label key={name} title={name}>
          <input
            type="radio"
            class="visually-hidden"
            name={`${id}-icon`}
            value={name}
            checked={at === 0 ? !isDrawn : name === value}
            onChange={() => onValue(at === 0 ? '' : name)}
          />
          <TypeIcon name={name} />
          <span class="visually-hidden">{name}</span>
        </label>
      ))}
      {value !== '' && !typeIconNames.some((name) => name === value) && (
        <p class="hint">“{value}” is not drawn here.</p>
      )}
      {error !== undefined && (
        <p class="field-error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
};
