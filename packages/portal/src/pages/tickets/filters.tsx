/** All filters of the ticket list, kept in the address. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { download } from '../../download.ts';
import { useSubmission } from '../../loading.ts';
import { Button } from '../../ui/controls.tsx';
import { ChoiceGroup, SelectField, TextField, type Choice } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { nameIn, useBuildings, useSpaces, useStoreys } from '../places.ts';
import type { Configuration } from './answers.ts';
import { FieldFilters, fieldFilterWords } from './field-filters.tsx';
import type { People } from './people.ts';
import { columns } from './columns.tsx';
import { fieldFiltersIn, fieldKeyIn, FILTERS, SORTS, type Asked, type Sort } from './query.ts';
import { priorityChoices, stateChoices } from './words.tsx';

const OVERDUE = [
  ['', 'Any'],
  ['true', 'Overdue'],
  ['false', 'In time'],
] as const;

/** The debounce of typed filters, in milliseconds. */
const TYPING_MS = 300;

const NAMES: Readonly<Record<(typeof FILTERS)[number], string>> = {
  search: 'Search',
  state: 'State',
  priority: 'Priority',
  category: 'Category',
  buildingId: 'Building',
  storeyId: 'Storey',
  spaceId: 'Space',
  elementId: 'Element',
  assigned: 'Assigned to',
  assignedUserId: 'Assigned to',
  assignedTeamId: 'Team',
  reporterUserId: 'Reported by',
  overdue: 'Time',
};

interface FilterParts {
  readonly asked: Asked;
  readonly onAsk: (asked: Asked) => void;
  readonly people: People;
  readonly configuration: Configuration | undefined;
  /** Whether the query differs from its view, or has none. */
  readonly isOwn: boolean;
}

type Changes = Readonly<Record<string, string | null>>;

/** Sets filters; `null` and blank remove them. */
const settingOf =
  ({ asked, onAsk }: FilterParts) =>
  (changes: Changes): void => {
    const filters = Object.entries<string | null>({ ...asked.filters, ...changes });
    const set = filters.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
    onAsk({ ...asked, filters: Object.fromEntries(set) });
  };

/** The search, the active filters, and a panel with all of them. */
export const Filters = (parts: FilterParts): JSX.Element => {
  const { asked, onAsk, isOwn } = parts;
  const set = settingOf(parts);
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="filters" role="search">
      <div class="filter-bar" onKeyDown={leaveSearch}>
        <Typed
          label="Search tickets"
          type="search"
          isLabelHidden
          placeholder="Number, words or place"
          value={asked.filters['search'] ?? ''}
          onValue={(search) => set({ search })}
        />
        <SelectField
          label="Order"
          isLabelHidden
          value={asked.sort}
          choices={SORTS}
          onValue={(sort) => onAsk({ ...asked, sort: sort as Sort })}
        />
        <button
          type="button"
          class="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Filters
        </button>
      </div>
      {isOwn && <ActiveFilters {...parts} />}
      {isOpen && <FilterPanel {...parts} />}
    </div>
  );
};

/** Moves the focus out of the search, so that shortcuts apply to the rows again. */
const leaveSearch = ({ key, target }: KeyboardEvent): void => {
  const isSearch = target instanceof HTMLInputElement && target.type === 'search';
  if (isSearch && (key === 'Enter' || key === 'Escape')) target.blur();
};

const ActiveFilters = (parts: FilterParts): JSX.Element | null => {
  const { asked, onAsk, people, configuration } = parts;
  const { filters } = asked;
  const set = FILTERS.filter((name) => name !== 'search' && filters[name] !== undefined);
  const fields = fieldFiltersIn(filters);
  const buildings = useBuildings();
  const storeys = useStoreys(filters['buildingId'] ?? '');
  const spaces = useSpaces(filters['buildingId'] ?? '', filters['storeyId'] ?? '');
  if (set.length + fields.length === 0) return null;
  const choices: Readonly<Record<string, readonly Choice[]>> = {
    state: stateChoices,
    overdue: OVERDUE,
    assigned: [['me', 'me']],
    buildingId: buildings,
    storeyId: storeys,
    spaceId: spaces,
    assignedUserId: people.items.map(({ userId, name }) => [userId, name]),
    assignedTeamId: people.teams.map(({ teamId, name }) => [teamId, name]),
  };
  const words = (name: (typeof FILTERS)[number]) =>
    filters[name]!.split(',')
      .map((value) => nameIn(choices[name] ?? [], value))
      .join(', ');
  const remove = (name: string) => settingOf(parts)({ [name]: null });
  return (
    <ul class="row active-filters" aria-label="Filters that are set">
      {set.map((name) => (
        <Chip key={name} label={NAMES[name]} words={words(name)} onRemove={() => remove(name)} />
      ))}
      {fields.map((name) => {
        const [label, answers] = fieldFilterWords(configuration, name, filters[name]!);
        return <Chip key={name} label={label} words={answers} onRemove={() => remove(name)} />;
      })}
      <li>
        <Button kind="quiet" onPress={() => onAsk({ ...asked, view: 'all', filters: {} })}>
          Clear all filters
        </Button>
      </li>
    </ul>
  );
};

const Chip = ({
  label,
  words,
  onRemove,
}: {
  readonly label: string;
  readonly words: string;
  readonly onRemove: () => void;
}): JSX.Element => (
  <li>
    <button
      type="button"
      class="chip"
      onClick={onRemove}
      aria-label={`Remove the filter ${label}: ${words}`}
    >
      {label}: {words} <Icon name="close" />
    </button>
  </li>
);

const FilterPanel = (parts: FilterParts): JSX.Element => {
  const { asked, onAsk, people, configuration } = parts;
  const setAll = settingOf(parts);
  const value = (name: string) => asked.filters[name] ?? '';
  const values = (name: string) => value(name).split(',').filter(Boolean);
  const set = (name: string) => (text: string) => setAll({ [name]: text });
  const buildings = useBuildings();
  const storeys = useStoreys(value('buildingId'));
  const spaces = useSpaces(value('buildingId'), value('storeyId'));
  return (
    <div class="filter-panel">
      <ChoiceGroup
        label="State"
        choices={stateChoices}
        chosen={values('state')}
        onValue={(chosen) => set('state')(chosen.join(','))}
      />
      <ChoiceGroup
        label="Priority"
        choices={priorityChoices}
        chosen={values('priority')}
        onValue={(chosen) => set('priority')(chosen.join(','))}
      />
      <div class="toolbar">
        <SelectField
          label="Building"
          value={value('buildingId')}
          choices={[['', 'All buildings'], ...buildings]}
          onValue={(buildingId) =>
            setAll({ buildingId, storeyId: null, spaceId: null, elementId: null })
          }
        />
        <SelectField
          label="Storey"
          value={value('storeyId')}
          choices={[['', 'All storeys'], ...storeys]}
          onValue={(storeyId) => setAll({ storeyId, spaceId: null })}
        />
        <SelectField
          label="Space"
          value={value('spaceId')}
          choices={[['', 'All spaces'], ...spaces]}
          onValue={set('spaceId')}
        />
        <SelectField
          label="Time"
          value={value('overdue')}
          choices={OVERDUE}
          onValue={set('overdue')}
        />
        <SelectField
          label="Assigned to"
          value={value('assignedUserId')}
          choices={[
            ['', 'Anybody'],
            ...withUnknown(
              people.items.map(({ userId, name }) => [userId, name]),
              value('assignedUserId'),
            ),
          ]}
          onValue={(assignedUserId) => setAll({ assignedUserId, assigned: null })}
        />
        <SelectField
          label="Team"
          value={value('assignedTeamId')}
          choices={[
            ['', 'Any team'],
            ...withUnknown(
              people.teams.map(({ teamId, name }) => [teamId, name]),
              value('assignedTeamId'),
            ),
          ]}
          onValue={set('assignedTeamId')}
        />
        <Typed label="Category" value={value('category')} onValue={set('category')} />
        <Typed label="Element id" value={value('elementId')} onValue={set('elementId')} />
      </div>
      <FieldFilters
        configuration={configuration}
        filters={asked.filters}
        onSet={setAll}
        columns={asked.columns}
        onColumns={(chosen) => onAsk({ ...asked, columns: chosen })}
      />
      <ChoiceGroup
        label="Columns"
        choices={columns.map(({ key, name }) => [key, name])}
        chosen={asked.columns}
        onValue={(chosen) => onAsk({ ...asked, columns: inTheirOrder(chosen) })}
      />
      <Exports of={asked} />
    </div>
  );
};

/** Fields of forms come last. */
const inTheirOrder = (keys: readonly string[]): readonly string[] => [
  ...columns.flatMap(({ key }) => (keys.includes(key) ? [key] : [])),
  ...keys.filter((key) => fieldKeyIn(key) !== null),
];

/** Exports all tickets that the filters select. */
const Exports = ({ of: { filters } }: { readonly of: Asked }): JSX.Element => {
  const { api } = usePortal();
  const path = `/api/service-desk/requests/export?${new URLSearchParams(filters).toString()}`;
  const csv = useSubmission(() => download(api, path, 'text/csv', 'tickets'));
  const ndjson = useSubmission(() => download(api, path, 'application/x-ndjson', 'tickets'));
  return (
    <div class="row">
      <Button icon="download" isBusy={csv.isBusy} onPress={csv.submit}>
        Export as CSV
      </Button>
      <Button icon="download" isBusy={ndjson.isBusy} onPress={ndjson.submit}>
        Export as NDJSON
      </Button>
      <Trouble error={csv.error ?? ndjson.error} />
    </div>
  );
};

/** An unknown id stays chosen. */
const withUnknown = (choices: readonly Choice[], id: string): readonly Choice[] =>
  id === '' || choices.some(([value]) => value === id) ? choices : [...choices, [id, id]];

const Typed = ({
  label,
  type = 'text',
  isLabelHidden = false,
  placeholder = '',
  value,
  onValue,
}: {
  readonly label: string;
  readonly type?: 'text' | 'search';
  readonly isLabelHidden?: boolean;
  readonly placeholder?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): JSX.Element => {
  const [text, setText] = useState(value);
  const latest = useRef(value);
  useEffect(() => {
    // The typed value returns by the address, when newer input may follow it.
    if (value === latest.current) return;
    latest.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      latest.current = text;
      onValue(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      label={label}
      type={type}
      isLabelHidden={isLabelHidden}
      placeholder={placeholder}
      value={text}
      onValue={setText}
      maxLength={200}
    />
  );
};
