/** A label, a control and its hint or error, associated for screen readers. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { unitsAllowed } from './units-allowed.ts';

interface FieldParts {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** Hides the label visually, where the position says what the control is. */
  readonly isLabelHidden?: boolean;
}

const Field = ({
  id,
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: FieldParts & { readonly id: string; readonly children: ComponentChildren }): JSX.Element => (
  <div class="field">
    <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
      {label}
    </label>
    {children}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {error && (
      <p class="field-error" id={`${id}-error`}>
        {error}
      </p>
    )}
  </div>
);

const described = (id: string, { hint, error }: FieldParts) => {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return { ...(ids && { 'aria-describedby': ids }), ...(error && { 'aria-invalid': true }) };
};

const limited = ({ value, maxLength }: Pick<TextParts, 'value' | 'maxLength'>) =>
  maxLength === undefined ? {} : { maxLength: unitsAllowed(value, maxLength) };

interface TextParts extends FieldParts {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?:
    | 'text'
    | 'email'
    | 'url'
    | 'number'
    | 'search'
    | 'date'
    | 'datetime-local'
    | 'tel';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  /** In characters, as the server counts them. */
  readonly maxLength?: number;
  readonly list?: readonly string[];
}

export const TextField = (parts: TextParts): JSX.Element => {
  const id = useId();
  const { value, onValue, type = 'text', isRequired, list, min, max, step } = parts;
  return (
    <Field id={id} {...parts}>
      <input
        id={id}
        type={type}
        dir="auto"
        value={value}
        required={isRequired === true}
        autocomplete="off"
        onInput={(event) => onValue(event.currentTarget.value)}
        {...(parts.placeholder !== undefined && { placeholder: parts.placeholder })}
        {...limited(parts)}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        {...(step !== undefined && { step })}
        {...(list && { list: `${id}-list` })}
        {...described(id, parts)}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </Field>
  );
};

interface AreaParts extends FieldParts {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly isRequired?: boolean;
  readonly rows?: number;
  /** In characters, as the server counts them. */
  readonly maxLength?: number;
  readonly isCode?: boolean;
}

export const TextArea = (parts: AreaParts): JSX.Element => {
  const id = useId();
  return (
    <Field id={id} {...parts}>
      <textarea
        id={id}
        dir={parts.isCode ? 'ltr' : 'auto'}
        value={parts.value}
        rows={parts.rows ?? 4}
        required={parts.isRequired === true}
        class={parts.isCode ? 'code-area' : undefined}
        spellcheck={!parts.isCode}
        onInput={(event) => parts.onValue(event.currentTarget.value)}
        {...limited(parts)}
        {...described(id, parts)}
      />
    </Field>
  );
};

export type Choice = readonly [value: string, label: string];

interface SelectParts extends FieldParts {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly choices: readonly Choice[];
  readonly isRequired?: boolean;
}

export const SelectField = (parts: SelectParts): JSX.Element => {
  const id = useId();
  return (
    <Field id={id} {...parts}>
      <select
        id={id}
        value={parts.value}
        required={parts.isRequired === true}
        onChange={(event) => parts.onValue(event.currentTarget.value)}
        {...described(id, parts)}
      >
        {parts.choices.map(([value, label]) => (
          <option key={value} value={value} selected={value === parts.value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
};

export const CheckField = ({
  label,
  isChecked,
  onValue,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onValue: (isChecked: boolean) => void;
}): JSX.Element => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      onChange={(event) => onValue(event.currentTarget.checked)}
    />
    {label}
  </label>
);

/** A multiple choice of a few options, as one control. */
export const ChoiceGroup = ({
  label,
  choices,
  chosen,
  onValue,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onValue: (chosen: readonly string[]) => void;
}): JSX.Element => (
  <fieldset class="choices">
    <legend>{label}</legend>
    {choices.map(([value, text]) => (
      <label key={value} class="chip">
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={(event) => {
            const others = chosen.filter((option) => option !== value);
            onValue(event.currentTarget.checked ? [...others, value] : others);
          }}
        />
        {text}
      </label>
    ))}
  </fieldset>
);

export interface ExplainedChoice<Value extends string> {
  readonly value: Value;
  readonly name: string;
  /** What the choice means. */
  readonly words: string;
}

/** A single choice of a few options, each with an explanation. */
export const ExplainedChoices = <Value extends string>({
  label,
  choices,
  chosen,
  onValue,
  isDisabled = false,
}: {
  readonly label: string;
  readonly choices: readonly ExplainedChoice<Value>[];
  readonly chosen: Value | null;
  readonly onValue: (value: Value) => void;
  readonly isDisabled?: boolean;
}): JSX.Element => {
  const group = useId();
  return (
    <fieldset class="explained-choices" disabled={isDisabled}>
      <legend>{label}</legend>
      {choices.map(({ value, name, words }) => (
        <label key={value}>
          <input
            type="radio"
            name={group}
            checked={chosen === value}
            onChange={() => onValue(value)}
          />
          <span>
            <strong>{name}</strong>
            <span class="hint">{words}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
