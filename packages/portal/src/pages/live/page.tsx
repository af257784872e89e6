import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ask, useRoute } from '../../router.ts';
import { PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Empty, Trouble } from '../../ui/notices.tsx';
import { useBuildings } from '../places.ts';
import { useLive } from './events.ts';
import { useNames } from './names.ts';
import { LiveState, LiveTable } from './table.tsx';

/** The live events of a building. */
export const LivePage = (): JSX.Element => {
  const route = useRoute();
  const buildings = useBuildings();
  const [typed, setTyped] = useState('');
  const [isPaused, setPaused] = useState(false);
  const buildingId = route.query.get('building') ?? buildings[0]?.[0] ?? null;
  const { state, events, count, error } = useLive(isPaused ? null : buildingId);
  const names = useNames(events.length > 0 ? buildingId : null);
  const shown = events.filter(({ body }) => body.event.includes(typed.trim()));
  return (
    <>
      <PageHead title="Live" lead="Events of a building as they happen.">
        <Button onPress={() => setPaused(!isPaused)}>{isPaused ? 'Go on' : 'Pause'}</Button>
      </PageHead>
      <div class="toolbar">
        <SelectField
          label="Building"
          value={buildingId ?? ''}
          choices={buildings}
          onValue={(building) => ask(route, { building })}
        />
        <TextField label="Event contains" value={typed} onValue={setTyped} />
        <LiveState state={isPaused ? 'paused' : state} count={count} />
      </div>
      <Trouble error={error} />
      {buildingId === null ? (
        <Empty title="No buildings" />
      ) : (
        <LiveTable of={shown} names={names} isLinked />
      )}
    </>
  );
};
