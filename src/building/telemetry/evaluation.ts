/**
 * Evaluates rules on ingests slice by slice. A rule's state of a point is updated in the
 * transaction that records a slice's findings. It is the checkpoint of the next slice, which makes
 * a repeated ingest idempotent, wherever it was interrupted.
 */
import type { ClientBase, Pool } from 'pg';
import type { PointsUpdated, PointUpdate } from '../../domain/telemetry/events.ts';
import { SERVER_CLOCKS_APART_MAX_MS } from './limits.ts';
import { EVALUATED_POINTS_AT_ONCE } from '../../domain/telemetry/limits.ts';
import type { RuleSample } from '../../domain/telemetry/rules.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { announcementCapacity } from './announcement-capacity.ts';
import type { Diagnostics, IngestEvaluation } from './diagnostics.ts';
import { repeatedSamples, sliceOf, type SampledPoint } from './evaluation-slice.ts';
import { storedValues } from './reads.ts';
import { memoryOf } from './rule-memory.ts';
import { rulesOf, takeTurn } from './rule-rows.ts';
import { recordTurns, type Recorded } from './rule-turns.ts';
import type { RunSlice } from './run-slice.ts';

export interface EvaluationParts {
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Called when the next due time may be earlier than before. */
  readonly dueChanged: () => void;
  /** Called when a point was heard that was silent or had no sample: it may fall silent again. */
  readonly silenceEnded: (buildingId: string) => void;
  readonly runSlice: RunSlice;
}

export const evaluation = (parts: EvaluationParts): Pick<Diagnostics, 'hasRules' | 'evaluate'> => ({
  async hasRules(buildingId) {
    const { rowCount } = await parts.db.query(
      'select from telemetry.rule where building_id = $1 limit 1',
      [buildingId],
    );
    return rowCount === 1;
  },

  async evaluate(fact, occasion, signal) {
    const { db, announced, dueChanged, silenceEnded, runSlice } = parts;
    const rest = fact.points.map((update) => ({ update, samples: samplesOf(update) }));
    for (let from = 0; from < rest.length;) {
      signal.throwIfAborted();
      const left = rest.slice(from);
      const slice = await runSlice(signal, () => evaluateSlice(db, fact, left, occasion));
      from += slice.finished;
      if (slice.endsSilence) silenceEnded(fact.buildingId);
      if (slice.waits) dueChanged();
      if (slice.announcements === 0) continue;
      announced();
      if (from < rest.length) await announcementCapacity(db, announced, signal);
    }
  },
});

interface InvolvedPoints {
  readonly update: PointUpdate;
  readonly samples: readonly RuleSample[];
}

interface EvaluatedSlice extends Recorded {
  /** A point was heard that was silent or had no sample. */
  readonly endsSilence: boolean;
  /** Number of completely evaluated updates. */
  readonly finished: number;
}

const evaluateSlice = (
  db: Pool,
  { buildingId }: PointsUpdated,
  rest: readonly InvolvedPoints[],
  occasion: IngestEvaluation,
): Promise<EvaluatedSlice> =>
  transaction(db, async (client) => {
    const none = { announcements: 0, waits: false, endsSilence: false, finished: rest.length };
    if (!(await takeTurn(client, buildingId))) return none;
    const rules = await rulesOf(client, buildingId);
    if (rules.length === 0) return none;
    const some = rest.slice(0, EVALUATED_POINTS_AT_ONCE);
    const points = await pointsOf(client, buildingId, some);
    const involved = some.flatMap(({ update }) => points.get(update.pointId) ?? []);
    const memory = await memoryOf(
      client,
      involved.map(({ seriesId }) => seriesId),
    );
    // A later rule leaves the ingest out, and begins with the state that it leads to.
    const latestMs = Date.parse(occasion.ingestedAt) + SERVER_CLOCKS_APART_MAX_MS;
    const earlier = rules.filter(({ createdAt }) => new Date(createdAt).getTime() <= latestMs);
    const stored = await storedValues(client, repeatedSamples(involved, memory));
    const { pairs, followed, finished } = sliceOf(earlier, involved, memory, stored);
    const recorded = await recordTurns(client, buildingId, pairs, followed, occasion);
    const endsSilence = pairs.some(
      ({ rule, point, turns }) =>
        rule.comparison === 'stale' && (turns.length > 0 || memory.last(point.seriesId) === null),
    );
    const isCut = finished < involved.length;
    const next = involved[finished];
    const firstLeft = some.findIndex(({ update }) => points.get(update.pointId) === next);
    return { ...recorded, endsSilence, finished: isCut ? firstLeft : some.length };
  });

/** The points of an ingest with their current ids, without removed ones. */
const pointsOf = async (
  client: ClientBase,
  buildingId: string,
  some: readonly InvolvedPoints[],
): Promise<ReadonlyMap<string, SampledPoint>> => {
  const { rows } = await client.query<StoredPoint>(
    `select asked.id as asked, series.id as "seriesId", point.id as "pointId",
            point.element_id as "elementId", point.point_class as "pointClass",
            point.value_type as "valueType"
     from unnest($2::uuid[]) as asked(id)
     join lateral (
       select asked.id
       union
       select n.id from graph.former_node f
       join graph.node n using (building_id, kind, source_system, external_id)
       where f.building_id = $1 and f.id = asked.id
     ) as heir on true
     join graph.point on point.id = heir.id
     join telemetry.series on series.point_id = heir.id and series.building_id = $1`,
    [buildingId, some.map(({ update }) => update.pointId)],
  );
  const samples = new Map(some.map(({ update, samples: of }) => [update.pointId, of]));
  return new Map(
    rows.map(({ asked, ...point }) => [asked, { ...point, samples: samples.get(asked)! }]),
  );
};

type StoredPoint = Omit<SampledPoint, 'samples'> & { readonly asked: string };

const samplesOf = ({ observedAt, value, earlier = [] }: PointUpdate): readonly RuleSample[] => {
  const latestMs = Date.parse(observedAt);
  return [
    ...earlier.map(([beforeMs, each]) => ({ atMs: latestMs - beforeMs, value: Number(each) })),
    { atMs: latestMs, value: Number(value) },
  ];
};
