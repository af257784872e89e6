/** Every question that the list of tickets can be asked, kept in the address. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../router.ts';
import { Button } from '../../ui/controls.tsx';
import { ChoiceGroup, SelectField, TextField, type Choice } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import { nameIn, useBuildings, useSpaces, useStoreys } from '../places.ts';
import type { People } from './people.ts';
import { FILTERS, filtersIn } from './query.ts';
import { priorityChoices, stateChoices } from './words.tsx';

const OVERDUE = [
  ['', 'Any'],
  ['true', 'Overdue'],
  ['false', 'In time'],
] as const;

/** After the last letter, so that not every one of them is a question. */
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
  readonly query: URLSearchParams;
  readonly onValue: (query: Query) => void;
  readonly people: People;
}

/** The search, what is set, and a panel with all of them. */
export const Filters = (parts: FilterParts): JSX.Element => {
  const { query, onValue } = parts;
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="filters">
      <div class="filter-bar">
        <Typed
          label="Search tickets"
          type="search"
          isLabelHidden
          value={query.get('search') ?? ''}
          onValue={(search) => onValue({ search, page: null })}
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
      <ActiveFilters {...parts} />
      {isOpen && <FilterPanel {...parts} />}
    </div>
  );
};

const ActiveFilters = ({ query, onValue, people }: FilterParts): JSX.Element | null => {
  const filters = filtersIn(query);
  const set = FILTERS.filter((name) => name !== 'search' && filters[name] !== undefined);
  const buildings = useBuildings();
  const storeys = useStoreys(filters['buildingId'] ?? '');
  const spaces = useSpaces(filters['buildingId'] ?? '', filters['storeyId'] ?? '');
  if (set.length === 0) return null;
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
  const words = (name: string) =>
    filters[name]!.split(',')
      .map((value) => nameIn(choices[name] ?? [], value))
      .join(', ');
  return (
    <ul class="row active-filters" aria-label="Filters that are set">
      {set.map((name) => (
        <li key={name}>
          <button
            type="button"
            class="chip"
            onClick={() => onValue({ [name]: null, page: null })}
            aria-label={`Remove the filter ${NAMES[name]}: ${words(name)}`}
          >
            {NAMES[name]}: {words(name)} <Icon name="close" />
          </button>
        </li>
      ))}
      <li>
        <Button
          kind="quiet"
          onPress={() =>
            onValue({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), page: null })
          }
        >
          Clear all filters
        </Button>
      </li>
    </ul>
  );
};

const FilterPanel = ({ query, onValue, people }: FilterParts): JSX.Element => {
  const value = (name: string) => query.get(name) ?? '';
  const values = (name: string) => value(name).split(',').filter(Boolean);
  const set = (name: string) => (text: string) => onValue({ [name]: text, page: null });
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
            onValue({ buildingId, storeyId: null, spaceId: null, elementId: null, page: null })
          }
        />
        <SelectField
          label="Storey"
          value={value('storeyId')}
          choices={[['', 'All storeys'], ...storeys]}
          onValue={(storeyId) => onValue({ storeyId, spaceId: null, page: null })}
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
          onValue={(assignedUserId) => onValue({ assignedUserId, assigned: null, page: null })}
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
    </div>
  );
};

/** An id that nobody is known by stays chosen. */
const withUnknown = (choices: readonly Choice[], id: string): readonly Choice[] =>
  id === '' || choices.some(([value]) => value === id) ? choices : [...choices, [id, id]];

const Typed = ({
  label,
  type = 'text',
  isLabelHidden = false,
  value,
  onValue,
}: {
  readonly label: string;
  readonly type?: 'text' | 'search';
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): JSX.Element => {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onValue(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      label={label}
      type={type}
      isLabelHidden={isLabelHidden}
      placeholder={isLabelHidden ? label : ''}
      value={text}
      onValue={setText}
      maxLength={200}
    />
  );
};
