/** Every question that the list of tickets can be asked, kept in the address. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../router.ts';
import { Button } from '../../ui/controls.tsx';
import { ChoiceGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { useBuildings, useSpaces, useStoreys } from '../places.ts';
import { FILTERS, filtersIn } from './query.ts';
import { priorityChoices, stateChoices } from './words.tsx';

const OVERDUE = [
  ['', 'Any'],
  ['true', 'Overdue'],
  ['false', 'In time'],
] as const;

/** After the last letter, so that not every one of them is a question. */
const TYPING_MS = 300;

export const Filters = ({
  query,
  onValue,
  children,
}: {
  readonly query: URLSearchParams;
  readonly onValue: (query: Query) => void;
  readonly children?: ComponentChildren;
}): JSX.Element => {
  const value = (name: string) => query.get(name) ?? '';
  const values = (name: string) => value(name).split(',').filter(Boolean);
  const set = (name: string) => (text: string) => onValue({ [name]: text, page: null });
  const buildings = useBuildings();
  const storeys = useStoreys(value('buildingId'));
  const spaces = useSpaces(value('buildingId'), value('storeyId'));
  const isNarrowed = ['storeyId', 'category', 'assignedUserId', 'elementId', 'assignedTeamId'].some(
    (name) => value(name) !== '',
  );
  return (
    <div class="filters">
      <div class="toolbar">
        <Typed label="Search" type="search" value={value('search')} onValue={set('search')} />
        <SelectField
          label="Building"
          value={value('buildingId')}
          choices={[['', 'All buildings'], ...buildings]}
          onValue={(buildingId) =>
            onValue({ buildingId, storeyId: null, spaceId: null, elementId: null, page: null })
          }
        />
        <SelectField
          label="Time"
          value={value('overdue')}
          choices={OVERDUE}
          onValue={set('overdue')}
        />
        {children}
      </div>
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
      <details {...(isNarrowed && { open: true })}>
        <summary>More filters</summary>
        <div class="toolbar">
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
          <Typed label="Element id" value={value('elementId')} onValue={set('elementId')} />
          <Typed label="Category" value={value('category')} onValue={set('category')} />
          <Typed
            label="Assigned user"
            value={value('assignedUserId')}
            onValue={set('assignedUserId')}
          />
          <Typed
            label="Assigned team"
            value={value('assignedTeamId')}
            onValue={set('assignedTeamId')}
          />
        </div>
      </details>
      {Object.keys(filtersIn(query)).length > 0 && (
        <Button
          kind="quiet"
          onPress={() =>
            onValue({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), page: null })
          }
        >
          Clear all filters
        </Button>
      )}
    </div>
  );
};

const Typed = ({
  label,
  type = 'text',
  value,
  onValue,
}: {
  readonly label: string;
  readonly type?: 'text' | 'search';
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
  return <TextField label={label} type={type} value={text} onValue={setText} maxLength={200} />;
};
