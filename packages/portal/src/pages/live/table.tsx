import type { JSX } from 'preact';
import { Badge, Table, type Column } from '../../ui/content.tsx';
import { Empty } from '../../ui/notices.tsx';
import type { Live, LiveEvent } from './events.ts';

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

export const LiveState = ({
  state,
  count,
}: {
  readonly state: Live['state'] | 'paused';
  readonly count: number;
}): JSX.Element => (
  <p class="live-state" role="status">
    <Badge tone={state === 'listening' ? 'good' : 'warn'}>{state}</Badge>{' '}
    {count.toLocaleString('en')} events
  </p>
);

export const LiveTable = ({ of }: { readonly of: readonly LiveEvent[] }): JSX.Element =>
  of.length === 0 ? (
    <Empty title="Nothing has happened yet">
      <p>Observations, alarms and Wi-Fi sensing are shown here when they come.</p>
    </Empty>
  ) : (
    <Table
      caption="Events, the latest first"
      columns={columns}
      rows={of}
      keyOf={({ position, index }) => `${position}.${index}`}
    />
  );
