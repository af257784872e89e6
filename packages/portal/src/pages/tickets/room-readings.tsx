/** Readings of the points in a ticket's room, around the time when it was raised. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Api } from '../../session/requests.ts';
import { Card } from '../../ui/content.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { timeNow } from '../../ui/now.ts';
import { loadBuckets } from '../buildings/buckets.ts';
import { reading, type Point } from '../buildings/readings.ts';
import { TimeChart } from '../buildings/time-chart.tsx';
import { HOUR_MS, type Bucket, type Span } from '../buildings/time-scale.ts';

/** The span before the ticket was raised, and after. */
const AROUND_MS = 12 * HOUR_MS;
/** Points of the room that are considered for a chart. */
const POINTS_MAX = 50;
/** Charts on screen; each is a request. */
const CHARTS_MAX = 4;

interface RoomReadings extends Span {
  readonly charts: readonly (readonly [point: Point, buckets: readonly Bucket[]])[];
  /** Numeric points without a chart here. */
  readonly others: number;
}

interface TicketRoom {
  readonly buildingId: string;
  readonly storeyId: string;
  readonly spaceId: string;
  readonly createdAt: string;
}

const load = async (
  api: Api,
  { buildingId, spaceId, createdAt }: TicketRoom,
  signal: AbortSignal,
): Promise<RoomReadings> => {
  const params = { path: { buildingId }, query: { spaceId, limit: POINTS_MAX } };
  const { data } = await api.GET('/api/v1/buildings/{buildingId}/points', { params, signal });
  const numbers = data.items.filter(({ valueType, latest }) => valueType === 'number' && latest);
  const raised = Date.parse(createdAt);
  const span = { from: raised - AROUND_MS, to: Math.min(raised + AROUND_MS, timeNow()) };
  const charts = await Promise.all(
    numbers.slice(0, CHARTS_MAX).map(async (point) => {
      const of = { buildingId, pointId: point.id };
      return [point, await loadBuckets(api, of, span, signal)] as const;
    }),
  );
  return {
    ...span,
    charts: charts.filter(([, buckets]) => buckets.length > 0),
    others: Math.max(0, numbers.length - CHARTS_MAX),
  };
};

/** Renders nothing if no point of the room has readings of that time. */
export const ReadingsOfRoom = ({ of }: { readonly of: TicketRoom }): JSX.Element | null => {
  const { api } = usePortal();
  const { buildingId, storeyId, spaceId, createdAt } = of;
  const { data, error, reload } = useLoaded(
    (signal) => load(api, of, signal),
    [api, buildingId, spaceId, createdAt],
  );
  if (error !== undefined) return <Trouble error={error} again={reload} />;
  if (data === undefined || data.charts.length === 0) return null;
  return (
    <Card title="Readings when it was raised">
      <div class="stack">
        {data.charts.map(([point, buckets]) => (
          <PointReadings
            key={point.id}
            buildingId={buildingId}
            point={point}
            buckets={buckets}
            span={data}
            raised={Date.parse(createdAt)}
          />
        ))}
        {data.others > 0 && (
          <a href={to(['buildings', buildingId, 'plan'], { storey: storeyId, space: spaceId })}>
            {data.others.toLocaleString('en')} other {data.others === 1 ? 'point' : 'points'} of the
            room
          </a>
        )}
      </div>
    </Card>
  );
};

const PointReadings = ({
  buildingId,
  point: { id, name, unit },
  buckets,
  span,
  raised,
}: {
  readonly buildingId: string;
  readonly point: Point;
  readonly buckets: readonly Bucket[];
  readonly span: Span;
  /** Milliseconds since 1970. */
  readonly raised: number;
}): JSX.Element => {
  const lowest = buckets.reduce((low, { min }) => Math.min(low, min), Infinity);
  const highest = buckets.reduce((high, { max }) => Math.max(high, max), -Infinity);
  const then = buckets.findLast(({ timestamp }) => Date.parse(timestamp) <= raised);
  const range = `from ${reading(lowest, unit)} to ${reading(highest, unit)}`;
  const words = then === undefined ? range : `${reading(then.mean, unit)} then, ${range}`;
  return (
    <div>
      <p class="small">
        <a href={to(['buildings', buildingId, 'points', id])}>{name}</a>: {words}
      </p>
      <TimeChart
        from={span.from}
        to={span.to}
        label={`${name} around the time of the ticket: ${words}`}
        buckets={buckets}
        written={(value) => reading(value, unit)}
        moment={raised}
        height={130}
      />
    </div>
  );
};
