/** A single choice of many, with a search in a list below the field. */
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { OptionList, Popover, type Option } from '../../ui/picker.tsx';

export const ChooseField = ({
  label,
  options,
  value,
  error,
  onValue,
}: {
  readonly label: string;
  readonly options: readonly Option[];
  /** `''`: none yet. */
  readonly value: string;
  readonly error?: string | undefined;
  readonly onValue: (value: string) => void;
}): JSX.Element => {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  return (
    <div class="field">
      <span class="field-label" id={`${id}-label`}>
        {label}
      </span>
      <button
        ref={button}
        id={id}
        type="button"
        class="choose"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        {...(error && { 'aria-describedby': `${id}-error` })}
        onClick={() => setOpen(true)}
      >
        {chosen === '' ? <span class="faint">Choose…</span> : chosen}
      </button>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {isOpen && (
        <Popover anchor={button.current!} label={label} onClose={close}>
          <OptionList
            label={label}
            options={options}
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
