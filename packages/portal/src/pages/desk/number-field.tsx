import type { JSX } from 'preact';
import { numberIn } from '../../typed-number.ts';
import { TextField } from '../../ui/fields.tsx';
import { useTyped } from './typed.ts';

/**
 * A number, or none. Not a field of type `number`, whose value is blank while its text is no
 * number.
 */
export const NumberField = ({
  value,
  onValue,
  isRequired = false,
  error,
  ...field
}: {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly value: number | undefined;
  readonly onValue: (value: number | undefined) => void;
  /** A blank text is no value. */
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
}): JSX.Element => {
  const { typed, onTyped, isHalfTyped } = useTyped({
    value,
    onValue,
    typedOf: (number) => (number === undefined ? '' : String(number)),
    read(text) {
      if (text.trim() === '' && !isRequired) return { value: undefined };
      const number = numberIn(text);
      return number === null ? null : { value: number };
    },
  });
  return (
    <TextField
      {...field}
      value={typed}
      onValue={onTyped}
      error={isHalfTyped ? 'Must be a number' : error}
    />
  );
};
