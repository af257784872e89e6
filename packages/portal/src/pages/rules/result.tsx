/** The outcome of a trial: how often each point would have had a fault, and one point's chart. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { Badge, Table, type Column } from '../../ui/content.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { At, span as lasting, when } from '../../ui/times.tsx';
import { loadBuckets } from '../buildings/buckets.ts';
import type { Span } from '../buildings/time-scale.ts';
import type { OfBuilding } from '../buildings/detail.tsx';
import { reading, type Point } from '../buildings/readings.ts';
import { TimeChart } from '../buildings/time-chart.tsx';
import type { FoundFault, TrialOutcome } from './run.ts';
import { conditionWords, type Measure } from './words.ts';

/** Rows of each list; the rest is counted. */
const ROWS = 50;
/** A longer table is collapsed. */
const OPEN_ROWS = 6;

interface PointFaults {
  readonly point: Pick<Point, 'id' | 'name' | 'code'>;
  readonly faults: readonly FoundFault[];
}

interface ResultParts extends OfBuilding {
  readonly of: TrialOutcome;
  readonly points: readonly Point[];
  readonly measure: Measure;
}

const counted = (faults: number): string =>
  faults === 0 ? 'none' : `${faults.toLocaleString('en')} ${faults === 1 ? 'fault' : 'faults'}`;

export const TrialResult = (parts: ResultParts): JSX.Element => {
  const { of, points, measure } = parts;
  const found = useMemo(() => byPoint(of.faults, points), [of, points]);
  const [chosenId, setChosen] = useState(found[0]?.point.id ?? '');
  const chosen = found.find(({ point }) => point.id === chosenId) ?? found[0];
  if (chosen === undefined)
    return <Empty title="The building has no point that the rule watches" />;
  const faulty = found.filter(({ faults }) => faults.length > 0).length;
  return (
    <div class="stack trial-result">
      <p role="status">
        <strong>{of.faults.length === 0 ? 'No fault' : counted(of.faults.length)}</strong> would
        have opened from {when(new Date(of.span.from).toISOString())} to{' '}
        {when(new Date(of.span.to).toISOString())}
        {found.length > 1 &&
          `, at ${faulty.toLocaleString('en')} of ${found.length.toLocaleString('en')} points`}
        : {conditionWords(of.rule, measure)}.
      </p>
      {found.length > 1 && <PointList of={found} chosen={chosen} onChoose={setChosen} />}
      <OnePoint key={chosen.point.id} {...parts} chosen={chosen} />
    </div>
  );
};

/** The points with their faults, most first; points without faults are included. */
const byPoint = (
  faults: readonly FoundFault[],
  points: readonly Point[],
): readonly PointFaults[] => {
  const grouped = Map.groupBy(faults, ({ pointId }) => pointId);
  const loaded = points.map((point) => ({ point, faults: grouped.get(point.id) ?? [] }));
  const ids = new Set(points.map(({ id }) => id));
  const others = [...grouped]
    .filter(([id]) => !ids.has(id))
    .map(([id, of]) => ({ point: { id, name: id, code: '' }, faults: of }));
  return [...loaded, ...others].toSorted((a, b) => b.faults.length - a.faults.length);
};

const PointList = ({
  of,
  chosen,
  onChoose,
}: {
  readonly of: readonly PointFaults[];
  readonly chosen: PointFaults;
  readonly onChoose: (pointId: string) => void;
}): JSX.Element => {
  const left = of.length - ROWS;
  return (
    <div class="trial-points" role="group" aria-label="Points">
      <ul>
        {of.slice(0, ROWS).map(({ point, faults }) => (
          <li key={point.id}>
            <button
              type="button"
              aria-pressed={point.id === chosen.point.id}
              onClick={() => onChoose(point.id)}
            >
              <span>
                <span class="faint small">{point.code}</span> {point.name}
              </span>
              <span class={faults.length === 0 ? 'faint small' : 'small'}>
                {counted(faults.length)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p class="faint small">
          {left.toLocaleString('en')} points with as many or fewer faults are left out.
        </p>
      )}
    </div>
  );
};

const OnePoint = ({
  buildingId,
  of: { rule, span },
  measure,
  chosen: { point, faults },
}: ResultParts & { readonly chosen: PointFaults }): JSX.Element => {
  const { api } = usePortal();
  const { unit } = measure;
  const buckets = useLoaded(
    (signal) => loadBuckets(api, { buildingId, pointId: point.id }, span, signal),
    [api, buildingId, point.id, span],
  );
  const bands = faults.map(({ openedAt, closedAt }) => ({
    from: Date.parse(openedAt),
    to: closedAt === null ? span.to : Date.parse(closedAt),
  }));
  const words = conditionWords(rule, measure);
  const label = `${point.name}: readings, ${counted(faults.length)}, ${words}`;
  const shown = rule.comparison === 'stale' ? null : rule.threshold;
  return (
    <section aria-label={point.name}>
      <h3 class="below">{point.name}</h3>
      <Show of={buckets}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No observations in this period" />
          ) : (
            <>
              <TimeChart
                {...span}
                label={label}
                buckets={found}
                written={(value) => reading(value, unit)}
                threshold={shown}
                bands={bands}
              />
              <Key
                hasThreshold={shown !== null}
                words={conditionWords({ ...rule, forSeconds: 0 }, measure)}
              />
            </>
          )
        }
      </Show>
      <FaultList of={faults} span={span} unit={unit} />
    </section>
  );
};

const Key = ({
  hasThreshold,
  words,
}: {
  readonly hasThreshold: boolean;
  readonly words: string;
}): JSX.Element => (
  <ul class="time-key" aria-hidden="true">
    <li>
      <svg viewBox="0 0 18 12">
        <path class="time-line" d="M0 6h18" />
      </svg>
      readings
    </li>
    {hasThreshold && (
      <li>
        <svg viewBox="0 0 18 12">
          <path class="time-threshold" d="M0 6h18" />
        </svg>
        {words}
      </li>
    )}
    <li>
      <svg viewBox="0 0 18 12">
        <rect class="time-band" width="18" height="12" />
      </svg>
      a fault
    </li>
  </ul>
);

const FaultList = ({
  of,
  span,
  unit,
}: {
  readonly of: readonly FoundFault[];
  readonly span: Span;
  readonly unit: string | null;
}): JSX.Element | null => {
  if (of.length === 0) return null;
  const left = of.length - ROWS;
  return (
    <details open={of.length <= OPEN_ROWS}>
      <summary>Its faults as a table</summary>
      <Table
        caption="Faults that would have opened"
        columns={columnsOf(span, unit)}
        rows={of.slice(0, ROWS)}
        keyOf={({ openedAt }) => openedAt}
      />
      {left > 0 && <p class="faint small">And {counted(left)} after these.</p>}
    </details>
  );
};

const columnsOf = ({ to }: Span, unit: string | null): readonly Column<FoundFault>[] => [
  { name: 'Opened', cell: ({ openedAt }) => <At at={openedAt} /> },
  {
    name: 'Closed',
    cell: ({ closedAt, flapCount = 0 }) => (
      <span class="row">
        {closedAt === null ? <Badge tone="bad">still open</Badge> : <At at={closedAt} />}
        {flapCount > 0 && <Badge tone="warn">flapped {flapCount} times</Badge>}
      </span>
    ),
  },
  {
    name: 'Lasted',
    isNumber: true,
    cell: ({ openedAt, closedAt }) =>
      lasting((closedAt === null ? to : Date.parse(closedAt)) - Date.parse(openedAt)),
  },
  {
    name: 'Value',
    isNumber: true,
    cell: ({ value }) => (value === null ? 'never observed' : reading(value, unit)),
  },
];
