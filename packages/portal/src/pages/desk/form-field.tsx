/** One field of a request type's form. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import {
  CheckField,
  ChoiceGroup,
  SelectField,
  TextArea,
  TextField,
  type Choice,
} from '../../ui/fields.tsx';
import type { FormField } from '../tickets/answers.ts';
import { withMember } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { NumberField } from './number-field.tsx';
import { dropClass, Handle, type Reorder } from './reorder.tsx';
import { useTyped } from './typed.ts';

type Kind = FormField['kind'];
type Condition = NonNullable<FormField['showIf']>;

const KINDS: Readonly<Record<Kind, string>> = {
  text: 'Text',
  number: 'Number',
  choice: 'One of several',
  choices: 'Several',
  date: 'Day',
  flag: 'Yes or no',
  person: 'Person',
  space: 'Room',
};

/** What `min` and `max` limit, by kind. */
const BOUNDED: Readonly<Partial<Record<Kind, string>>> = {
  text: 'characters',
  number: 'value',
  choices: 'chosen',
};

const hasOptions = (kind: Kind): boolean => kind === 'choice' || kind === 'choices';

type Kept = Partial<Record<'min' | 'max', number | undefined>> & {
  readonly options: FormField['options'] | undefined;
};

/**
 * The field converted to another kind, without the members that the kind does not have.
 *
 * @param kept The members that it had when it was of that kind.
 */
const ofKind = (field: FormField, kind: Kind, { options, min, max }: Kept): FormField => {
  const { key, label, required, showIf } = field;
  return {
    key,
    label,
    kind,
    ...(required !== undefined && { required }),
    ...(showIf && { showIf }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(hasOptions(kind) && { options: options ?? [{ value: 'first', label: 'First' }] }),
  };
};

export const FieldEditor = ({
  of,
  path,
  earlier,
  onChange,
  order,
  at,
}: {
  readonly of: FormField;
  readonly path: string;
  /** The preceding fields, on which it may depend. */
  readonly earlier: readonly FormField[];
  readonly onChange: (next: FormField | null) => void;
  readonly order: Reorder;
  /** Its index in the form. */
  readonly at: number;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  const { label, key, kind, required = false } = of;
  const bounded = BOUNDED[kind];
  /** A list that is walked by arrow keys passes other kinds. */
  const byKind = useRef(new Map<Kind, Pick<FormField, 'min' | 'max'>>());
  const lastOptions = useRef(of.options);
  lastOptions.current = of.options ?? lastOptions.current;
  const change = (next: Kind) => {
    byKind.current.set(kind, of);
    const { min, max } = byKind.current.get(next) ?? {};
    onChange(ofKind(of, next, { options: lastOptions.current, min, max }));
  };
  return (
    <fieldset class={`request-form item${dropClass(order, at)}`} aria-label={label} data-item>
      <legend>
        <Handle of={order} at={at} name={label} /> {label}
      </legend>
      <div class="fields">
        <TextField
          label="Label"
          value={label}
          onValue={(next) => onChange({ ...of, label: next })}
          error={errorAt('.label')}
        />
        <TextField
          label="Key"
          value={key}
          onValue={(next) => onChange({ ...of, key: next })}
          error={errorAt('.key')}
        />
        <SelectField
          label="Kind"
          value={kind}
          choices={Object.entries(KINDS)}
          onValue={(next) => change(next as Kind)}
        />
      </div>
      {hasOptions(kind) && (
        <Options of={of} error={errorAt('.options')} onChange={onChange} key={kind} />
      )}
      {bounded !== undefined && (
        <div class="fields">
          {(['min', 'max'] as const).map((name) => (
            <NumberField
              key={name}
              label={`${name === 'min' ? 'Least' : 'Most'} ${bounded}`}
              value={of[name]}
              onValue={(value) => onChange(withMember(of, name, value))}
              error={errorAt(`.${name}`)}
            />
          ))}
        </div>
      )}
      <Shown of={of} earlier={earlier} error={errorAt('.showIf')} onChange={onChange} />
      <div class="row">
        <CheckField
          label="Required"
          isChecked={required}
          onValue={(next) => onChange(withMember(of, 'required', next ? true : undefined))}
        />
        {at > 0 && (
          <Button
            kind="quiet"
            label={`Move ${label} up`}
            onPress={() => order.move(at, at - 1, label)}
          >
            Up
          </Button>
        )}
        {at < order.count - 1 && (
          <Button
            kind="quiet"
            label={`Move ${label} down`}
            onPress={() => order.move(at, at + 1, label)}
          >
            Down
          </Button>
        )}
        <Button kind="quiet" label={`Remove ${label}`} onPress={() => onChange(null)}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
};

interface PartOfField {
  readonly of: FormField;
  readonly error: string | undefined;
  readonly onChange: (next: FormField) => void;
}

const optionsIn = (text: string): NonNullable<FormField['options']> =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [value = '', ...label] = line.split(':');
      return { value: value.trim(), label: label.join(':').trim() || value.trim() };
    });

/** One option per line: its value, then a colon and the label if that differs. */
const Options = ({ of, error, onChange }: PartOfField): JSX.Element => {
  const { typed, onTyped } = useTyped({
    value: of.options ?? [],
    onValue: (options) => onChange(withMember(of, 'options', options)),
    typedOf: (options) =>
      options
        .map(({ value, label }) => (value === label ? value : `${value}: ${label}`))
        .join('\n'),
    read: (text) => ({ value: optionsIn(text) }),
  });
  return (
    <TextArea
      label="Options, one per line"
      hint="The stored value, a colon and the displayed text, such as tap: A tap."
      rows={4}
      value={typed}
      error={error}
      onValue={onTyped}
    />
  );
};

/** Shows the field always, or for some answers to an earlier field. */
const Shown = ({
  of,
  earlier,
  error,
  onChange,
}: PartOfField & { readonly earlier: readonly FormField[] }): JSX.Element | null => {
  const { showIf } = of;
  if (earlier.length === 0 && showIf === undefined) return null;
  const controlling = earlier.find(({ key }) => key === showIf?.key);
  const set = (next: Condition | undefined) => onChange(withMember(of, 'showIf', next));
  const choices: Choice[] = [
    ['', 'Always'],
    ...earlier.map(({ key, label }): Choice => [key, `By the answer to “${label}”`]),
  ];
  if (showIf && !controlling) choices.push([showIf.key, showIf.key]);
  return (
    <div class="fields">
      <SelectField
        label="Shown"
        value={showIf?.key ?? ''}
        choices={choices}
        error={error}
        onValue={(key) => {
          const field = earlier.find((candidate) => candidate.key === key);
          set(field && { key, equals: firstAnswer(field) });
        }}
      />
      {showIf && controlling && (
        <Answer
          of={controlling}
          equals={showIf.equals}
          onValue={(equals) => set({ ...showIf, equals })}
        />
      )}
    </div>
  );
};

const firstAnswer = ({ kind, options = [] }: FormField): Condition['equals'] => {
  if (kind === 'flag') return true;
  if (kind === 'number') return 0;
  return options[0]?.value ?? '-';
};

/** The answers for which a field is shown. */
const Answer = ({
  of: { kind, options = [] },
  equals,
  onValue,
}: {
  readonly of: FormField;
  readonly equals: Condition['equals'];
  readonly onValue: (equals: Condition['equals']) => void;
}): JSX.Element => {
  const answers = [equals].flat();
  if (hasOptions(kind))
    return <AnswerChoices of={options} answers={answers.map(String)} onAnswers={onValue} />;
  if (kind === 'flag')
    return (
      <SelectField
        label="If it is"
        value={answers[0] === false ? 'no' : 'yes'}
        choices={[
          ['yes', 'Yes'],
          ['no', 'No'],
        ]}
        onValue={(next) => onValue(next === 'yes')}
      />
    );
  const [answer] = answers;
  if (kind === 'number')
    return (
      <NumberField
        label="If it is"
        value={typeof answer === 'number' ? answer : undefined}
        isRequired
        onValue={(number) => number !== undefined && onValue(number)}
      />
    );
  return <TextField label="If it is" value={String(answer ?? '')} onValue={onValue} />;
};

const AnswerChoices = ({
  of,
  answers,
  onAnswers,
}: {
  readonly of: NonNullable<FormField['options']>;
  readonly answers: readonly string[];
  readonly onAnswers: (answers: string[]) => void;
}): JSX.Element => {
  const { typed, onTyped, isHalfTyped } = useTyped<readonly string[], readonly string[]>({
    value: answers,
    onValue: (chosen) => onAnswers([...chosen]),
    typedOf: (chosen) => chosen,
    read: (chosen) => (chosen.length === 0 ? null : { value: chosen }),
  });
  return (
    <div>
      <ChoiceGroup
        label="If it is"
        choices={of.map(({ value, label }): Choice => [value, label])}
        chosen={typed}
        onValue={onTyped}
      />
      {isHalfTyped && <p class="field-error">Choose at least one</p>}
    </div>
  );
};
