/** The visible fields of a request type's form. */
import type { JSX } from 'preact';
import { ChoiceGroup, SelectField, TextArea, TextField, type Choice } from '../../ui/fields.tsx';
import { useRooms } from '../rooms.ts';
import { shownFields, textIn, type FormField, type RequestType, type Typed } from './answers.ts';
import { usePeople, type People } from './people.ts';
import { PersonField } from './person-field.tsx';
import { TypeIcon } from './type-icon.tsx';

/** A field for longer texts has several lines. */
const LINE_CHARACTERS_MAX = 200;

export const RequestForm = ({
  of,
  typed,
  buildingId,
  onTyped,
  errorAt,
}: {
  readonly of: RequestType;
  readonly typed: Typed;
  /** The building whose rooms are offered; blank if it is not known yet. */
  readonly buildingId: string;
  readonly onTyped: (typed: Typed) => void;
  /** The server's error for a field. */
  readonly errorAt: (key: string) => string | undefined;
}): JSX.Element | null => {
  const hasSpaces = of.fields.some(({ kind }) => kind === 'space');
  const rooms = useRooms(hasSpaces && buildingId !== '' ? [buildingId] : []);
  const people = usePeople();
  const spaces = rooms.map(
    ({ id, code, name, storey }) => [id, `${code} ${name}, ${storey.name}`] as const,
  );
  const fields = shownFields(of, typed);
  if (fields.length === 0) return null;
  return (
    <fieldset class="request-form">
      <legend class="type-name">
        <TypeIcon name={of.icon} /> {of.name}
      </legend>
      {of.description !== undefined && <p class="faint small">{of.description}</p>}
      {fields.map((field) => (
        <Answer
          key={field.key}
          of={field}
          value={textIn(typed, field.key)}
          onValue={(value) => onTyped({ ...typed, [field.key]: value })}
          error={errorAt(field.key)}
          people={people}
          spaces={spaces}
        />
      ))}
    </fieldset>
  );
};

const labelOf = ({ label, required }: FormField) => (required ? label : `${label} (optional)`);

const UNSAID: Choice = ['', 'Not said'];

const Answer = ({
  of,
  value,
  onValue,
  error,
  people,
  spaces,
}: {
  readonly of: FormField;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
  readonly people: People;
  readonly spaces: readonly Choice[];
}): JSX.Element => {
  const { kind, required = false, options = [], min, max } = of;
  const parts = { label: labelOf(of), value, onValue, error };
  const chosen = options.map((option): Choice => [option.value, option.label]);
  const select = (choices: readonly Choice[]) => (
    <SelectField {...parts} choices={withOwn([UNSAID, ...choices], value)} />
  );
  if (kind === 'choice') return select(chosen);
  if (kind === 'flag')
    return select([
      ['yes', 'Yes'],
      ['no', 'No'],
    ]);
  if (kind === 'space') return select(spaces);
  if (kind === 'person')
    return people.more ? (
      <PersonField {...parts} people={people} />
    ) : (
      select(people.items.map(({ userId, name }): Choice => [userId, name]))
    );
  if (kind === 'choices')
    return (
      <div>
        <ChoiceGroup
          label={parts.label}
          choices={chosen}
          chosen={value === '' ? [] : value.split(',')}
          onValue={(options) => onValue(options.join())}
        />
        {error !== undefined && <p class="field-error">{error}</p>}
      </div>
    );
  if (kind === 'number')
    return (
      <TextField
        {...parts}
        type="number"
        step="any"
        isRequired={required}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
      />
    );
  if (kind === 'date') return <TextField {...parts} type="date" isRequired={required} />;
  return (max ?? Infinity) > LINE_CHARACTERS_MAX ? (
    <TextArea {...parts} rows={3} isRequired={required} maxLength={max ?? TEXT_CHARACTERS_MAX} />
  ) : (
    <TextField {...parts} isRequired={required} maxLength={max!} />
  );
};

/** The server's limit of an answer. */
const TEXT_CHARACTERS_MAX = 4_000;

/** The chosen value stays a choice, even if it is no longer an option. */
const withOwn = (choices: readonly Choice[], own: string): readonly Choice[] =>
  choices.some(([value]) => value === own) ? choices : [...choices, [own, own]];
