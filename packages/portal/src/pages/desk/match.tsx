import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { ChoiceGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { placeMembers, type PlaceMember } from '../place-members.ts';
import { useBuildings, useSpaces, useStoreys } from '../places.ts';
import { priorityChoices, type Priority } from '../tickets/words.tsx';
import { withMember, type Match } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { listed, PLACES } from './match-words.ts';
import { useTyped } from './typed.ts';

const values = (text: string): string[] =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);

interface MatchParts {
  readonly of: Match;
  /** The path of the match in the configuration: `routingRules[2].match`. */
  readonly path: string;
  readonly nameOf: (id: string) => string | undefined;
  readonly onChange: (next: Match | undefined) => void;
}

/** Selects the tickets that a rule or a service level applies to. */
export const MatchFields = ({ of, path, nameOf, onChange }: MatchParts): JSX.Element => {
  const errorAt = useErrorsAt(path);
  const set = <Name extends keyof Match>(name: Name, value: Match[Name] | undefined) => {
    const next = withMember(of, name, value);
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  const list = (name: 'requestType' | 'category') => (selected: readonly string[]) =>
    set(name, selected.length === 0 ? undefined : [...selected]);
  return (
    <div class="stack">
      <ChoiceGroup
        label="Tickets of priority"
        choices={priorityChoices}
        chosen={listed(of.priority)}
        onValue={(chosen) =>
          set('priority', chosen.length === 0 ? undefined : ([...chosen] as Priority[]))
        }
      />
      <div class="fields">
        <Values
          label="Of category"
          of={listed(of.category)}
          onValues={list('category')}
          error={errorAt('.category')}
        />
        <Values
          label="Of request type"
          of={listed(of.requestType)}
          onValues={list('requestType')}
          error={errorAt('.requestType')}
        />
        <TextField
          label="With the words"
          value={of.text ?? ''}
          onValue={(text) => set('text', text === '' ? undefined : text)}
          error={errorAt('.text')}
        />
      </div>
      <Places of={of} nameOf={nameOf} onSet={set} />
    </div>
  );
};

const Values = ({
  label,
  of,
  onValues,
  error,
}: {
  readonly label: string;
  readonly of: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
  readonly error: string | undefined;
}): JSX.Element => {
  const { typed, onTyped } = useTyped<readonly string[], string>({
    value: of,
    onValue: onValues,
    typedOf: (of) => of.join(', '),
    read: (text) => ({ value: values(text) }),
  });
  return (
    <TextField
      label={label}
      hint="Separate several with commas."
      value={typed}
      error={error}
      onValue={onTyped}
    />
  );
};

const Places = ({
  of,
  nameOf,
  onSet,
}: {
  readonly of: Match;
  readonly nameOf: MatchParts['nameOf'];
  readonly onSet: (name: PlaceMember, value: string[] | undefined) => void;
}): JSX.Element => {
  const without = (member: PlaceMember, id: string) => {
    const left = listed(of[member]).filter((placeId) => placeId !== id);
    onSet(member, left.length === 0 ? undefined : left);
  };
  const chosen = placeMembers.flatMap((member) =>
    listed(of[member]).map((id) => ({ member, id, name: nameOf(id) ?? `a ${PLACES[member]}` })),
  );
  return (
    <fieldset class="places">
      <legend>In these places</legend>
      {chosen.length === 0 && <p class="faint small">Everywhere.</p>}
      <ul class="row">
        {chosen.map(({ member, id, name }) => (
          <li key={id} class="chip" title={id}>
            {name}
            <Button
              kind="quiet"
              icon="close"
              label={`Not in ${name}`}
              onPress={() => without(member, id)}
            />
          </li>
        ))}
      </ul>
      <AddPlace onAdd={(member, id) => onSet(member, [...new Set([...listed(of[member]), id])])} />
    </fieldset>
  );
};

const AddPlace = ({
  onAdd,
}: {
  readonly onAdd: (member: PlaceMember, id: string) => void;
}): JSX.Element => {
  const buildings = useBuildings();
  const [building, setBuilding] = useState('');
  const [storey, setStorey] = useState('');
  const [space, setSpace] = useState('');
  const storeys = useStoreys(building);
  const spaces = useSpaces(building, storey);
  const add = () => {
    if (space !== '') onAdd('spaceId', space);
    else if (storey !== '') onAdd('storeyId', storey);
    else onAdd('buildingId', building);
    setBuilding('');
    setStorey('');
    setSpace('');
  };
  return (
    <div class="toolbar">
      <SelectField
        label="Building"
        value={building}
        choices={[['', 'Choose a building'], ...buildings]}
        onValue={(id) => {
          setBuilding(id);
          setStorey('');
          setSpace('');
        }}
      />
      {building !== '' && (
        <SelectField
          label="Storey"
          value={storey}
          choices={[['', 'The whole building'], ...storeys]}
          onValue={(id) => {
            setStorey(id);
            setSpace('');
          }}
        />
      )}
      {storey !== '' && (
        <SelectField
          label="Room"
          value={space}
          choices={[['', 'The whole storey'], ...spaces]}
          onValue={setSpace}
        />
      )}
      <Button onPress={add} isDisabled={building === ''}>
        Add this place
      </Button>
    </div>
  );
};
