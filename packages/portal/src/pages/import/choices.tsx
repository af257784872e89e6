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
    words: 'Adds new items and updates existing ones from the file. Nothing is removed.',
  },
  {
    value: 'replace',
    name: 'Replace',
    words:
      'The building, or its model of this name, is replaced by the file. Items that are ' +
      'not in the file are removed, including points with their observations. All other ' +
      'items keep their external identifiers and get new ids.',
  },
];

export const ModeChoice = ({ of: { choices, set }, isDisabled }: ChoiceParts): JSX.Element => (
  <ExplainedChoices
    label="Effect on the building"
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
        'For a file with one discipline of the building, such as electrical: lower-case ' +
        'letters, digits and hyphens. Only this model is added or updated. Blank: the ' +
        'building’s own model.'
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
      label="Building in the file to import"
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
