/** An answer that is a person, searched where there are more than the page knows. */
import type { JSX } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { narrowed, OptionList, Popover, type Option } from '../../ui/picker.tsx';
import { useFoundPeople, usePeopleNamed, type People } from './people.ts';

const UNSAID = 'Not said';

export const PersonField = ({
  label,
  value,
  onValue,
  error,
  people,
}: {
  readonly label: string;
  /** A userId; blank for nobody. */
  readonly value: string;
  readonly onValue: (userId: string) => void;
  readonly error: string | undefined;
  readonly people: People;
}): JSX.Element => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [text, setText] = useState('');
  const { items } = useFoundPeople(people, anchor === null ? '' : text);
  const known = useMemo(() => new Map(items.map((one) => [one.userId, one.name])), [items]);
  const named = usePeopleNamed(known, value === '' ? [] : [value]);
  const options = [
    { value: '', label: UNSAID },
    ...items.map(({ userId, name }): Option => ({
      value: userId,
      label: name,
      hint: <span class="faint small">{userId}</span>,
    })),
  ];
  const close = () => {
    setAnchor(null);
    setText('');
    button.current?.focus();
  };
  return (
    <div class="field">
      <label for={id} id={`${id}-label`}>
        {label}
      </label>
      <button
        ref={button}
        id={id}
        type="button"
        class="button person"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {value === '' ? UNSAID : (named.get(value) ?? value)}
      </button>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {anchor !== null && (
        <Popover anchor={anchor} label={label} onClose={close}>
          <OptionList
            label={label}
            placeholder="Name"
            options={narrowed(options, text)}
            onText={setText}
            chosen={value}
            onChoose={(option) => {
              onValue(option.value);
              close();
            }}
          />
        </Popover>
      )}
    </div>
  );
};
