/** Concurrent changes by two people: mine, theirs and a proposal, resolved member by member. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Values } from '../form-content.ts';
import type { FormState } from '../form.ts';
import type { Conflict } from '../merge.ts';

const plainly = (value: Values[string]): string =>
  value === '' ? '(nothing)' : typeof value === 'string' ? value : value ? 'yes' : 'no';

/** Above the fields of a form, which have the chosen version and can still be edited. */
export const Conflicts = <Of extends Values>({
  of: { conflicts, values, setAll },
  labels,
  kept,
  shown = plainly,
}: {
  readonly of: Pick<FormState<Of>, 'conflicts' | 'values' | 'setAll'>;
  /** Label of each member, as its field has it. */
  readonly labels: Readonly<Record<string, string>>;
  /** What happens to mine if theirs is chosen, such as "yours is kept as a note". */
  readonly kept?: (conflict: Conflict) => string | null;
  /** Default: the whole value. */
  readonly shown?: (value: Values[string], conflict: Conflict) => string;
}): JSX.Element | null => {
  if (conflicts.length === 0) return null;
  return (
    <div class="conflicts" role="alert">
      <p>
        <strong>Someone else has changed the same fields since you opened this.</strong> Nothing is
        saved yet: choose for each, then save.
      </p>
      {conflicts.map((conflict) => (
        <Choices
          key={conflict.name}
          of={conflict}
          label={labels[conflict.name] ?? conflict.name}
          value={values[conflict.name]!}
          kept={kept?.(conflict) ?? null}
          shown={(value) => shown(value, conflict)}
          onValue={(value) => setAll({ [conflict.name]: value } as Partial<Of>)}
        />
      ))}
    </div>
  );
};

const Choices = ({
  of: { mine, theirs, merged },
  label,
  value,
  kept,
  shown,
  onValue,
}: {
  readonly of: Conflict;
  readonly label: string;
  readonly value: Values[string];
  readonly kept: string | null;
  readonly shown: (value: Values[string]) => string;
  readonly onValue: (value: Values[string]) => void;
}): JSX.Element => {
  const id = useId();
  const choices = [
    ['Mine', mine],
    [kept === null ? 'Theirs' : `Theirs (${kept})`, theirs],
    ...(merged === null ? [] : [['Both, merged', merged] as const]),
  ] as const;
  return (
    <fieldset>
      <legend>{label}</legend>
      {choices.map(([name, choice]) => (
        <div key={name} class="conflict-choice">
          <label>
            <input
              type="radio"
              name={id}
              checked={value === choice}
              onChange={() => onValue(choice)}
            />
            {name}
          </label>
          <pre tabIndex={0}>{shown(choice)}</pre>
        </div>
      ))}
    </fieldset>
  );
};
