/** An answer that is a person, with a search on the server if not all people are loaded. */
import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { usePeopleNamed, type People } from './people.ts';
import { usePersonPicker } from './person-picker.tsx';

const UNSAID = 'Not said';

export const PersonField = ({
  label,
  value,
  onValue,
  error,
  people,
}: {
  readonly label: string;
  /** A user id; blank for no person. */
  readonly value: string;
  readonly onValue: (userId: string) => void;
  readonly error: string | undefined;
  readonly people: People;
}): JSX.Element => {
  const id = useId();
  const { items, button, list } = usePersonPicker({
    label,
    people,
    first: [{ value: '', label: UNSAID }],
    chosen: value,
    onChoose: (option) => onValue(option.value),
  });
  const loaded = useMemo(
    () => new Map(items.map((person) => [person.userId, person.name])),
    [items],
  );
  const named = usePeopleNamed(loaded, value === '' ? [] : [value]);
  return (
    <div class="field">
      <label for={id} id={`${id}-label`}>
        {label}
      </label>
      <button
        {...button}
        id={id}
        type="button"
        class="button person"
        aria-labelledby={`${id}-label ${id}`}
        {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
      >
        {value === '' ? UNSAID : (named.get(value) ?? value)}
      </button>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {list}
    </div>
  );
};
