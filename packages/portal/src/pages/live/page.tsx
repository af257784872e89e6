import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ask, useRoute } from '../../router.ts';
import { Badge, PageHead, Table, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Empty, Trouble } from '../../ui/notices.tsx';
import { useBuildings } from '../places.ts';
import { useLive, type LiveEvent } from './events.ts';

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const columns: readonly Column<LiveEvent>[] = [
  {
    name: 'Time',
    cell: ({ body }) => (
      <time dateTime={body.timestamp}>{time.format(new Date(body.timestamp))}</time>
    ),
  },
  { name: 'Event', cell: ({ body }) => <Badge tone="accent">{body.event}</Badge> },
  { name: 'Data', cell: ({ body }) => <code>{JSON.stringify(body.data)}</code> },
];

/** What a building tells, as it happens. */
export const LivePage = (): JSX.Element => {
  const route = useRoute();
  const buildings = useBuildings();
  const [typed, setTyped] = useState('');
  const [isPaused, setPaused] = useState(false);
  const buildingId = route.query.get('building') ?? buildings[0]?.[0] ?? null;
  const { state, events, count, error } = useLive(isPaused ? null : buildingId);
  const shown = events.filter(({ body }) => body.event.includes(typed.trim()));
  return (
    <>
      <PageHead title="Live" lead="What a building tells, as it happens.">
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
        <p class="live-state" role="status">
          <Badge tone={state === 'listening' ? 'good' : 'warn'}>
            {isPaused ? 'paused' : state}
          </Badge>{' '}
          {count.toLocaleString('en')} events
        </p>
      </div>
      <Trouble error={error} />
      {shown.length === 0 ? (
        <Empty title={buildingId === null ? 'There is no building' : 'Nothing has happened yet'}>
          <p>Observations, alarms and Wi-Fi sensing are shown here when they come.</p>
        </Empty>
      ) : (
        <Table
          caption="Events, the latest first"
          columns={columns}
          rows={shown}
          keyOf={({ position, index }) => `${position}.${index}`}
        />
      )}
    </>
  );
};
