/** The place: a building, a storey, a room; by name, by search, or on the plan. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SelectField, TextField, type Choice } from '../../ui/fields.tsx';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { havingWords } from '../../ui/picker.tsx';
import { useSpaces, useStoreys } from '../places.ts';

const PlanToTap = lazyPage(async () => (await import('./plan-to-tap.tsx')).PlanToTap);

export interface Where {
  readonly buildingId: string;
  /** Blank if it is unknown, as is the room. */
  readonly storeyId: string;
  readonly spaceId: string;
}

/** Up to this many rooms of a storey, a list needs no search. */
const ROOMS_FEW = 12;

const UNSAID: Choice = ['', 'Not said'];
const UNCHOSEN: Choice = ['', 'Please choose'];

/** @param where If there is only one building, the caller has chosen it. */
export const PlaceFields = ({
  buildings,
  where: { buildingId, storeyId, spaceId },
  onWhere,
}: {
  readonly buildings: readonly Choice[];
  readonly where: Where;
  readonly onWhere: (where: Where) => void;
}): JSX.Element => {
  const storeys = useStoreys(buildingId);
  const spaces = useSpaces(buildingId, storeyId);
  const [text, setText] = useState('');
  const [isPlanOpen, setPlanOpen] = useState(false);
  const found = havingWords(spaces, text, ([, label]) => label);
  const own = spaces.filter(([id]) => id === spaceId && !found.some(([other]) => other === id));
  const choose = (id: string) => onWhere({ buildingId, storeyId, spaceId: id });
  return (
    <fieldset class="place-fields">
      <legend>Where is it?</legend>
      {buildings.length > 1 && (
        <SelectField
          label="Building"
          value={buildingId}
          choices={buildingId === '' ? [UNCHOSEN, ...buildings] : buildings}
          isRequired
          onValue={(id) => onWhere({ buildingId: id, storeyId: '', spaceId: '' })}
        />
      )}
      <SelectField
        label="Storey"
        value={storeyId}
        choices={[UNSAID, ...storeys]}
        onValue={(id) => onWhere({ buildingId, storeyId: id, spaceId: '' })}
      />
      {storeyId !== '' && (
        <>
          {spaces.length > ROOMS_FEW && (
            <TextField
              label="Find the room"
              type="search"
              value={text}
              onValue={setText}
              hint={`${found.length} of ${spaces.length} rooms`}
            />
          )}
          <SelectField
            label="Room"
            value={spaceId}
            choices={[UNSAID, ...own, ...found]}
            onValue={choose}
          />
          <details
            class="tap-plan"
            onToggle={({ currentTarget }) => setPlanOpen(currentTarget.open)}
          >
            <summary>Find it on the plan</summary>
            {isPlanOpen && (
              <PlanToTap
                buildingId={buildingId}
                storeyId={storeyId}
                spaceId={spaceId}
                onSpace={choose}
              />
            )}
          </details>
        </>
      )}
    </fieldset>
  );
};
