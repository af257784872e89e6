/** The options of an import, besides the file. */
import type { JSX } from 'preact';
import { ExplainedChoices, TextField, type ExplainedChoice } from '../../ui/fields.tsx';
import type { Importing, Mode } from './use-import.ts';

interface ChoiceParts {
  readonly of: Importing;
  readonly isDisabled: boolean;
}

const MODES: readonly ExplainedChoice<Mode>[] = [
  {
    value: 'add',
    name: 'Add and update',
    words:
      'What is new is added, what the file says of the rest takes effect, and nothing is removed.',
  },
  {
    value: 'replace',
    name: 'Replace',
    words:
      'The building, or its model of this name, becomes what the file says. What is not in it is ' +
      'removed, points with their observations; the rest keeps its external identifiers and gets ' +
      'new ids.',
  },
];

export const ModeChoice = ({ of: { choices, set }, isDisabled }: ChoiceParts): JSX.Element => (
  <ExplainedChoices
    label="What the file does to the building"
    choices={MODES}
    chosen={choices.mode}
    onValue={(mode) => set({ mode })}
    isDisabled={isDisabled}
  />
);

/** Files of several disciplines are models of one building. contract.md section 6. */
export const ModelName = ({
  of: { choices, set },
  models,
  isDisabled,
}: ChoiceParts & {
  /** The named models that the building has. */
  readonly models: readonly string[];
}): JSX.Element => (
  <fieldset class="import-model" disabled={isDisabled}>
    <TextField
      label="Name of the model"
      hint={
        'For a file of one discipline beside others: small letters, digits and hyphens, such as ' +
        'electrical. Only this model is added or renewed. Blank: the building’s own model.'
      }
      value={choices.model}
      list={models}
      maxLength={64}
      onValue={(model) => set({ model: model.trim(), storeys: {} })}
    />
  </fieldset>
);

/** The choice of a building in a file of several, which the server's refusal lists. */
export const BuildingChoice = ({
  of: { buildings, choices, set },
  isDisabled,
}: ChoiceParts): JSX.Element | null => {
  if (buildings.length === 0) return null;
  return (
    <ExplainedChoices
      label="The building of the file that is imported"
      choices={buildings.map(({ globalId, name }) => ({
        value: globalId,
        name: name === '' ? 'Without a name' : name,
        words: globalId,
      }))}
      chosen={choices.building}
      onValue={(building) => set({ building, storeys: {} })}
      isDisabled={isDisabled}
    />
  );
};
