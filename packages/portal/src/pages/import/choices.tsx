/** What the person decides of an import, besides the file. */
import type { JSX } from 'preact';
import { TextField } from '../../ui/fields.tsx';
import type { Importing, Mode } from './use-import.ts';

interface ChoiceParts {
  readonly of: Importing;
  readonly isDisabled: boolean;
}

const MODES: readonly (readonly [Mode, string, string])[] = [
  [
    'add',
    'Add and update',
    'What is new is added, what the file says of the rest takes effect, and nothing is removed.',
  ],
  [
    'replace',
    'Replace',
    'The building, or its model of this name, becomes what the file says. What is not in it is ' +
      'removed, points with their observations; the rest keeps its external identifiers and gets ' +
      'new ids.',
  ],
];

export const ModeChoice = ({ of: { choices, set }, isDisabled }: ChoiceParts): JSX.Element => (
  <fieldset class="import-modes" disabled={isDisabled}>
    <legend>What the file does to the building</legend>
    {MODES.map(([mode, name, words]) => (
      <label key={mode}>
        <input
          type="radio"
          name="mode"
          checked={choices.mode === mode}
          onChange={() => set({ mode })}
        />
        <span>
          <strong>{name}</strong>
          <span class="hint">{words}</span>
        </span>
      </label>
    ))}
  </fieldset>
);

/** Files of several disciplines are models of one building. contract.md section 6. */
export const ModelName = ({
  of: { choices, set },
  known,
  isDisabled,
}: ChoiceParts & {
  /** The named models that the building has. */
  readonly known: readonly string[];
}): JSX.Element => (
  <fieldset class="import-model" disabled={isDisabled}>
    <TextField
      label="Name of the model"
      hint={
        'For a file of one discipline beside others: small letters, digits and hyphens, such as ' +
        'electrical. Only this model is added or renewed. Blank: the building’s own model.'
      }
      value={choices.model}
      list={known}
      maxLength={64}
      onValue={(model) => set({ model: model.trim(), storeys: {} })}
    />
  </fieldset>
);

/** Of a file of several buildings, which the refusal has named. */
export const BuildingChoice = ({
  of: { buildings, choices, set },
  isDisabled,
}: ChoiceParts): JSX.Element | null => {
  if (buildings.length === 0) return null;
  return (
    <fieldset class="import-modes" disabled={isDisabled}>
      <legend>The building of the file that is imported</legend>
      {buildings.map(({ globalId, name }) => (
        <label key={globalId}>
          <input
            type="radio"
            name="building"
            checked={choices.building === globalId}
            onChange={() => set({ building: globalId, storeys: {} })}
          />
          <span>
            <strong>{name === '' ? 'Without a name' : name}</strong>
            <span class="hint">{globalId}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
