import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { ask, to, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Card, Facts, Table } from '../../ui/content.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import { Chart } from './chart.tsx';
import type { OfBuilding } from './detail.tsx';
import { reading, type Point } from './readings.ts';

type Bucket = Schemas['SampleBucket'];

/** How far back, and in what steps, so that the chart has some hundred of them. */
const SPANS = {
  day: ['The last day', 86_400_000, '15m'],
  week: ['The last week', 7 * 86_400_000, '1h'],
  month: ['The last 30 days', 30 * 86_400_000, '1h'],
  year: ['The last year', 365 * 86_400_000, '1d'],
} as const;
type SpanName = keyof typeof SPANS;

const spanNames = Object.entries(SPANS).map(([value, [label]]) => [value, label] as const);
const isSpan = (name: string | null): name is SpanName => name !== null && name in SPANS;

const POINTS_PAGE = 1_000;
/** Shown as a table: the chart says nothing to who cannot see it. */
const ROWS_MAX = 24;

export const PointHistory = ({
  buildingId,
  pointId,
}: OfBuilding & { readonly pointId: string }): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const asked = route.query.get('span');
  const span: SpanName = isSpan(asked) ? asked : 'day';
  const point = useLoaded(
    async (signal) => {
      const params = { path: { buildingId }, query: { limit: POINTS_PAGE } };
      const path = '/api/v1/buildings/{buildingId}/points';
      for await (const one of api.items(path, { params, signal }))
        if (one.id === pointId) return one;
      return null;
    },
    [api, buildingId, pointId],
  );
  const history = useLoaded(
    async (signal) => {
      const [, ms, bucket] = SPANS[span];
      const from = new Date(Date.now() - ms).toISOString();
      const params = { path: { buildingId, pointId }, query: { from, bucket } };
      const path = '/api/v1/buildings/{buildingId}/points/{pointId}/observations';
      const buckets: Bucket[] = [];
      for await (const one of api.items(path, { params, signal })) buckets.push(one as Bucket);
      return buckets;
    },
    [api, buildingId, pointId, span],
  );
  return (
    <Show of={point}>
      {(found) =>
        found === null ? (
          <Empty title="There is no such point" />
        ) : (
          <>
            <p>
              <a class="above" href={to(['buildings', buildingId, 'points'])}>
                ← Points
              </a>
            </p>
            <div class="columns">
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
                <Show of={history}>{(buckets) => <History of={found} buckets={buckets} />}</Show>
              </Card>
              <Card title="Point">
                <Facts
                  of={[
                    ['Code', <code>{found.code}</code>],
                    ['Class', found.pointClass.replaceAll('_', ' ')],
                    ['Latest', found.latest && reading(found.latest.value, found.unit)],
                    ['At', <At at={found.latest?.timestamp ?? null} />],
                    ['Id', <code>{found.id}</code>],
                    ['External id', found.externalId && <code>{found.externalId}</code>],
                  ]}
                />
              </Card>
            </div>
          </>
        )
      }
    </Show>
  );
};

const History = ({
  of: { name, unit },
  buckets,
}: {
  readonly of: Point;
  readonly buckets: readonly Bucket[];
}): JSX.Element => {
  if (buckets.length === 0) return <Empty title="No observations in this time" />;
  return (
    <>
      <Chart
        label={`${name}${unit === null || unit === '1' ? '' : ` in ${unit}`}`}
        times={buckets.map(({ timestamp }) => Date.parse(timestamp) / 1000)}
        lines={[
          buckets.map(({ mean }) => mean),
          buckets.map(({ min }) => min),
          buckets.map(({ max }) => max),
        ]}
      />
      <details>
        <summary>The latest as a table</summary>
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
