/** Filters and columns by form fields, grouped by request type. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceGroup, SelectField, type Choice } from '../../ui/fields.tsx';
import { fieldIn, type Configuration, type FormField, type RequestType } from './answers.ts';
import { FIELD_FILTERS_MAX } from './limits.ts';
import { fieldFiltersIn, fieldKeyIn, fieldName, type Filters } from './query.ts';
import { TypeIcon } from './type-icon.tsx';

const FLAG: readonly Choice[] = [
  ['', 'Any'],
  ['true', 'Yes'],
  ['false', 'No'],
];

const choicesOf = ({ kind, options = [] }: FormField): readonly Choice[] =>
  kind === 'flag' ? FLAG.slice(1) : options.map(({ value, label }): Choice => [value, label]);

const isFilter = ({ kind }: FormField): boolean =>
  kind === 'choice' || kind === 'choices' || kind === 'flag';

/**
 * A filter in words: the labels of its field and answers, or key and values if they are unknown.
 */
export const fieldFilterWords = (
  configuration: Configuration | undefined,
  name: string,
  value: string,
): readonly [label: string, answers: string] => {
  const key = fieldKeyIn(name) ?? name;
  const field = fieldIn(configuration, key);
  const labels = new Map(field && choicesOf(field));
  const answers = value.split(',').map((answer) => labels.get(answer.trim()) ?? answer.trim());
  return [field?.label ?? key, answers.join(', ')];
};

export interface FieldFilterParts {
  readonly configuration: Configuration | undefined;
  readonly filters: Filters;
  readonly onSet: (changes: Readonly<Record<string, string>>) => void;
  readonly columns: readonly string[];
  readonly onColumns: (columns: readonly string[]) => void;
}

export const FieldFilters = (parts: FieldFilterParts): JSX.Element | null => {
  const types = parts.configuration?.requestTypes?.filter(({ fields }) => fields.length > 0) ?? [];
  if (types.length === 0) return null;
  return (
    <fieldset class="form-filters">
      <legend>Forms</legend>
      {types.map((type) => (
        <TypeFilters key={type.requestType} of={type} {...parts} />
      ))}
    </fieldset>
  );
};

/** Renders nothing while it is closed: there may be thousands of fields. */
const TypeFilters = ({
  of: { requestType, name, icon, fields },
  filters,
  onSet,
  columns,
  onColumns,
}: FieldFilterParts & { readonly of: RequestType }): JSX.Element => {
  const names = fields.map(({ key }) => fieldName(key));
  const set = names.filter((filter) => filters[filter] !== undefined);
  const [isOpen, setOpen] = useState(set.length > 0);
  const isFull = fieldFiltersIn(filters).length >= FIELD_FILTERS_MAX;
  const shown = fields.filter((field) => isFilter(field));
  const offered = shown.filter(({ key }) => !isFull || filters[fieldName(key)] !== undefined);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-type={requestType}>
        <TypeIcon name={icon} /> {name}
        {set.length > 0 && <span class="faint"> {set.length} set</span>}
      </summary>
      {isOpen && (
        <div class="stack">
          {offered.map((field) => (
            <FieldFilter
              key={field.key}
              of={field}
              value={filters[fieldName(field.key)] ?? ''}
              onValue={(value) => onSet({ [fieldName(field.key)]: value })}
            />
          ))}
          {offered.length < shown.length && (
            <p class="hint" role="status">
              At most {FIELD_FILTERS_MAX} form fields can filter a list.
            </p>
          )}
          <ChoiceGroup
            label={`Columns of ${name}`}
            choices={fields.map(({ key, label }): Choice => [fieldName(key), label])}
            chosen={columns.filter((column) => names.includes(column))}
            onValue={(chosen) =>
              onColumns([...columns.filter((column) => !names.includes(column)), ...chosen])
            }
          />
        </div>
      )}
    </details>
  );
};

const FieldFilter = ({
  of,
  value,
  onValue,
}: {
  readonly of: FormField;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): JSX.Element =>
  of.kind === 'flag' ? (
    <SelectField label={of.label} value={value} choices={FLAG} onValue={onValue} />
  ) : (
    <ChoiceGroup
      label={of.label}
      choices={choicesOf(of)}
      chosen={value.split(',').filter(Boolean)}
      onValue={(chosen) => onValue(chosen.join(','))}
    />
  );
