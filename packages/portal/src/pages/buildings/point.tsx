import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { ask, to, useRoute } from '../../router.ts';
import { Card, Facts, Table, useTitle } from '../../ui/content.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { timeNow } from '../../ui/now.ts';
import { At } from '../../ui/times.tsx';
import { loadBuckets } from './buckets.ts';
import { Chart } from './chart.tsx';
import type { OfBuilding } from './detail.tsx';
import { PointFaults } from './point-faults.tsx';
import { reading, type Point } from './readings.ts';
import { DAY_MS, type Bucket, type Span } from './time-scale.ts';

const SmallPlan = lazyPage(async () => (await import('../plan/small.tsx')).SmallPlan);

/** The spans to choose from. */
const SPANS = {
  day: ['The last day', DAY_MS],
  week: ['The last week', 7 * DAY_MS],
  month: ['The last 30 days', 30 * DAY_MS],
  year: ['The last year', 365 * DAY_MS],
} as const;
type SpanName = keyof typeof SPANS;

const spanNames = Object.entries(SPANS).map(([value, [label]]) => [value, label] as const);
const isSpan = (name: string | null): name is SpanName => name !== null && name in SPANS;

/** Rows of the table that replaces the chart for people who cannot see it. */
const ROWS_MAX = 24;

export const PointHistory = ({
  buildingId,
  pointId,
}: OfBuilding & { readonly pointId: string }): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const named = route.query.get('span');
  const span: SpanName = isSpan(named) ? named : 'day';
  const point = useLoaded(
    async (signal) => {
      const params = { path: { buildingId, pointId } };
      const path = '/api/v1/buildings/{buildingId}/points/{pointId}';
      return (await api.GET(path, { params, signal })).data;
    },
    [api, buildingId, pointId],
  );
  const history = useLoaded(
    async (signal) => {
      const to = timeNow();
      const from = to - SPANS[span][1];
      const buckets = await loadBuckets(api, { buildingId, pointId }, { from, to }, signal);
      return { from, to, buckets };
    },
    [api, buildingId, pointId, span],
  );
  useTitle(point.data?.name);
  return (
    <>
      <p>
        <a class="above" href={to(['buildings', buildingId, 'points'])}>
          ← Points
        </a>
      </p>
      <Show of={point}>
        {(found) => (
          <div class="columns">
            <div>
              <Card
                title={found.name}
                actions={
                  <SelectField
                    label="Time"
                    isLabelHidden
                    value={span}
                    choices={spanNames}
                    onValue={(next) => ask(route, { span: next })}
                  />
                }
              >
                <Show of={history}>{(loaded) => <History of={found} {...loaded} />}</Show>
              </Card>
              <PointFaults buildingId={buildingId} of={found} />
            </div>
            <PointCards buildingId={buildingId} of={found} />
          </div>
        )}
      </Show>
    </>
  );
};

/** What the point measures, and where. */
const PointCards = ({
  buildingId,
  of: point,
}: OfBuilding & { readonly of: Point }): JSX.Element => {
  const { may } = usePortal();
  const { id, storeyId, spaceId, latest, unit } = point;
  return (
    <div>
      <Card
        title="Point"
        actions={
          may('platform.buildings:write') && (
            <a class="button" href={to(['buildings', buildingId, 'rules', 'new'], { point: id })}>
              Watch this point
            </a>
          )
        }
      >
        <Facts
          of={[
            ['Code', <code>{point.code}</code>],
            ['Class', point.pointClass.replaceAll('_', ' ')],
            ['Latest', latest && reading(latest.value, unit)],
            ['At', <At at={latest?.timestamp ?? null} />],
            ['Room', spaceId && <RoomName buildingId={buildingId} spaceId={spaceId} />],
            ['Id', <code>{id}</code>],
            ['External id', point.externalId && <code>{point.externalId}</code>],
          ]}
        />
      </Card>
      {spaceId !== null && (
        <Card title="Place">
          <SmallPlan buildingId={buildingId} storeyId={storeyId} spaceId={spaceId} />
        </Card>
      )}
    </div>
  );
};

const RoomName = ({
  buildingId,
  spaceId,
}: OfBuilding & { readonly spaceId: string }): JSX.Element => {
  const { api } = usePortal();
  const { data } = useLoaded(
    async (signal) => {
      const params = { path: { buildingId, spaceId } };
      const path = '/api/v1/buildings/{buildingId}/spaces/{spaceId}';
      return (await api.GET(path, { params, signal })).data;
    },
    [api, buildingId, spaceId],
  );
  if (data === undefined) return <span class="faint">…</span>;
  const { code, name, storey } = data;
  return (
    <a href={to(['buildings', buildingId, 'plan'], { storey: storey.id, space: spaceId })}>
      {code} {name}, {storey.name}
    </a>
  );
};

const History = ({
  of: { name, unit },
  buckets,
  from,
  to,
}: Span & {
  readonly of: Point;
  readonly buckets: readonly Bucket[];
}): JSX.Element => {
  if (buckets.length === 0) return <Empty title="No observations in this period" />;
  return (
    <>
      <Chart
        label={`${name}${unit === null || unit === '1' ? '' : ` in ${unit}`}`}
        from={from}
        to={to}
        times={buckets.map(({ timestamp }) => Date.parse(timestamp) / 1000)}
        lines={[
          buckets.map(({ mean }) => mean),
          buckets.map(({ min }) => min),
          buckets.map(({ max }) => max),
        ]}
      />
      <details>
        <summary>Latest observations as a table</summary>
        <Table
          caption={`${name}, latest first`}
          columns={[
            { name: 'Time', cell: ({ timestamp }) => <At at={timestamp} /> },
            { name: 'Mean', isNumber: true, cell: ({ mean }) => reading(mean, unit) },
            { name: 'Lowest', isNumber: true, cell: ({ min }) => reading(min, unit) },
            { name: 'Highest', isNumber: true, cell: ({ max }) => reading(max, unit) },
            { name: 'Count', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
          ]}
          rows={buckets.slice(-ROWS_MAX).toReversed()}
          keyOf={({ timestamp }) => timestamp}
        />
      </details>
    </>
  );
};
