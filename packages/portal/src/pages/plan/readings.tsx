/** The points of a room: their latest values, and a day of readings of the numeric ones. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { timeNow } from '../../ui/now.ts';
import { Ago } from '../../ui/times.tsx';
import { loadBuckets } from '../buildings/buckets.ts';
import { reading, type Point } from '../buildings/readings.ts';
import { DAY_MS } from '../buildings/time-scale.ts';
import { RoomSection, type OfRoom } from './room-section.tsx';

const POINTS_MAX = 12;
/** Sparklines on screen; each is a request. */
const LINES_MAX = 6;

export const RoomPoints = ({
  of: { buildingId, spaceId },
}: {
  readonly of: OfRoom;
}): JSX.Element => {
  const { api } = usePortal();
  const points = useLoaded(
    async (signal) => {
      const params = { path: { buildingId }, query: { spaceId, limit: POINTS_MAX } };
      return (await api.GET('/api/v1/buildings/{buildingId}/points', { params, signal })).data;
    },
    [api, buildingId, spaceId],
  );
  return (
    <RoomSection
      title="Points"
      of={points}
      row={(point, at) => (
        <li key={point.id}>
          <a href={to(['buildings', buildingId, 'points', point.id])}>{point.name}</a>
          {at < LINES_MAX && point.valueType === 'number' && point.latest && (
            <Sparkline buildingId={buildingId} point={point} />
          )}
          {point.latest ? (
            <>
              <strong class="nowrap">{reading(point.latest.value, point.unit)}</strong>
              <span class="faint small">
                <Ago at={point.latest.timestamp} />
              </span>
            </>
          ) : (
            <span class="faint small">never observed</span>
          )}
        </li>
      )}
    />
  );
};

const WIDTH = 96;
const HEIGHT = 24;

/** The means of the last day. Errors are shown on the page of the point, not here. */
const Sparkline = ({
  buildingId,
  point: { id: pointId, name },
}: {
  readonly buildingId: string;
  readonly point: Point;
}): JSX.Element | null => {
  const { api } = usePortal();
  const { data = [] } = useLoaded(
    (signal) => {
      const to = timeNow();
      return loadBuckets(api, { buildingId, pointId }, { from: to - DAY_MS, to }, signal);
    },
    [api, buildingId, pointId],
  );
  if (data.length < 2) return null;
  const means = data.map(({ mean }) => mean);
  const [lowest, highest] = [Math.min(...means), Math.max(...means)];
  const times = data.map(({ timestamp }) => Date.parse(timestamp));
  const [first, last] = [times[0]!, times.at(-1)!];
  const path = means
    .map((mean, at) => {
      const x = ((times[at]! - first) / (last - first)) * WIDTH;
      const y = HEIGHT * (1 - (highest > lowest ? (mean - lowest) / (highest - lowest) : 0.5));
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('L');
  const range = `from ${reading(lowest, null)} to ${reading(highest, null)}`;
  const words = `${name} over the last day, ${range}`;
  return (
    <svg
      class="plan-line"
      viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
      role="img"
      aria-label={words}
    >
      <path d={`M${path}`} />
    </svg>
  );
};
