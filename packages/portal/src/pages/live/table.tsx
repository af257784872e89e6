import type { JSX } from 'preact';
import { to } from '../../router.ts';
import { Badge, Table, type Column } from '../../ui/content.tsx';
import { Empty } from '../../ui/notices.tsx';
import { reading } from '../buildings/readings.ts';
import type { Live, LiveEvent } from './events.ts';
import type { Names } from './names.ts';

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

type Data = Readonly<Record<string, unknown>>;

const dataOf = ({ body: { data } }: LiveEvent): Data =>
  typeof data === 'object' && data !== null ? (data as Data) : {};

const textAt = (data: Data, name: string): string | null =>
  typeof data[name] === 'string' ? data[name] : null;

/** Members that are shown as names, as the value, or as the time of the row. */
const SHOWN = new Set(['buildingId', 'pointId', 'spaceId', 'elementId', 'value', 'unit', 'title']);
const isShown = (name: string): boolean => SHOWN.has(name) || /(?:At|Id)$/.test(name);

const columnsOf = (names: Names, isLinked: boolean): readonly Column<LiveEvent>[] => [
  {
    name: 'Time',
    cell: ({ body }) => (
      <time dateTime={body.timestamp}>{time.format(new Date(body.timestamp))}</time>
    ),
  },
  { name: 'Event', cell: ({ body }) => <Badge tone="accent">{body.event}</Badge> },
  { name: 'What', cell: (event) => <What of={dataOf(event)} names={names} isLinked={isLinked} /> },
  { name: 'Value', isNumber: true, cell: (event) => valueIn(dataOf(event)) },
  {
    name: 'Data',
    cell: ({ body }) => (
      <details class="payload">
        <summary>JSON</summary>
        <code>{JSON.stringify(body.data)}</code>
      </details>
    ),
  },
];

const valueIn = (data: Data): string | null => {
  const { value } = data;
  if (typeof value !== 'number' && typeof value !== 'boolean') return null;
  return reading(value, textAt(data, 'unit'));
};

const What = ({
  of,
  names,
  isLinked,
}: {
  readonly of: Data;
  readonly names: Names;
  readonly isLinked: boolean;
}): JSX.Element => {
  const [buildingId, pointId] = [textAt(of, 'buildingId'), textAt(of, 'pointId')];
  const point = pointId === null ? null : (names.points.get(pointId) ?? 'a point');
  const element = names.elements.get(textAt(of, 'elementId') ?? '');
  const space = names.spaces.get(textAt(of, 'spaceId') ?? '');
  const others = Object.entries(of).filter(
    ([name, value]) => !isShown(name) && value !== null && typeof value !== 'object',
  );
  return (
    <span>
      {textAt(of, 'title') && <strong>{textAt(of, 'title')} </strong>}
      {point &&
        (isLinked && buildingId !== null && pointId !== null ? (
          <a href={to(['buildings', buildingId, 'points', pointId])}>{point}</a>
        ) : (
          point
        ))}
      {[element, space]
        .filter((place) => place !== undefined)
        .map((place) => (
          <span key={place} class="faint">{` · ${place}`}</span>
        ))}
      {others.map(([name, value]) => (
        <span key={name} class="faint small">{` ${name} ${String(value)}`}</span>
      ))}
    </span>
  );
};

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

export const LiveTable = ({
  of,
  names,
  isLinked = false,
}: {
  readonly of: readonly LiveEvent[];
  readonly names: Names;
  /** Whether the building has pages in this portal. */
  readonly isLinked?: boolean;
}): JSX.Element =>
  of.length === 0 ? (
    <Empty title="Nothing has happened yet">
      <p>Observations, alarms and Wi-Fi sensing appear here as they arrive.</p>
    </Empty>
  ) : (
    <Table
      caption="Events, the latest first"
      columns={columnsOf(names, isLinked)}
      rows={of}
      keyOf={({ position, index }) => `${position}.${index}`}
    />
  );
