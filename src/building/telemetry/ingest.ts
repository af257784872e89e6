/**
 * An ingest in one statement: samples, the latest value of each point and the announcements become
 * durable together, and only at the building's revision that the samples were validated against.
 */
import { setImmediate as givenWay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import type { PointsUpdated } from '../../domain/telemetry/events.ts';
import { isRefusal, refuse, type Occasion, type Refusal } from '../../engine/aggregates/decider.ts';
import {
  validationErrorsOf,
  samplesByPoint,
  updatesOf,
  type Observation,
} from '../../domain/telemetry/observations.ts';
import { isBusy, isMissingPartition } from '../../engine/postgres/errors.ts';
import { telemetryStream, type AnnouncementRecord } from '../graph/outbox.ts';
import { INGEST_BUSY_MAX_MS, INGEST_PAUSE_FIRST_MS, INGEST_PAUSE_MAX_MS } from './limits.ts';
import { INGEST_LARGE_OBSERVATIONS } from '../../domain/telemetry/limits.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import { forEachInSlices, mapInSlices } from '../../engine/concurrency/slices.ts';
import { untraced, within, type NewSpan, type Tracing } from '../../engine/observe/tracing.ts';
import { LogUnavailable } from '../../engine/log/event-store.ts';
import {
  float8Array,
  int4Array,
  jsonArray,
  timestamptzArray,
  uuidArray,
} from '../../engine/log/postgres/binary-arrays.ts';
import type { SampleMonths } from './months.ts';
import type { BuildingPoints, PointRegistry } from './points.ts';
import type { Telemetry } from './telemetry.ts';

export interface IngestParts {
  readonly db: Pool;
  readonly points: PointRegistry;
  readonly months: SampleMonths;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Default: no tracing. */
  readonly tracing?: Tracing | undefined;
}

export const ingest = (parts: IngestParts): Telemetry['observe'] => {
  const { db, points, months, announced, tracing = untraced } = parts;
  const checked = async (
    organisation: string,
    buildingId: string,
    observations: readonly Observation[],
    at: string,
  ): Promise<BuildingPoints | Refusal> => {
    const misfits = (building: BuildingPoints) =>
      validationErrorsOf(observations, building.points, Date.parse(at));
    const pointsByName = await points.of(organisation, buildingId);
    if (pointsByName && misfits(pointsByName) === null) return pointsByName;
    // The cache may be older than a named point.
    const building = await points.current(organisation, buildingId);
    if (!building) return refuse('NOT_FOUND', 'No building has this id.');
    return misfits(building) ?? building;
  };

  const observe: Observe = async (organisation, buildingId, observations, occasion) => {
    const givenUpAt = performance.now() + INGEST_BUSY_MAX_MS;
    // A request is not aborted.
    const never = new AbortController().signal;
    const pauses = backoff(INGEST_PAUSE_FIRST_MS, INGEST_PAUSE_MAX_MS);
    do {
      try {
        const building = await checked(organisation, buildingId, observations, occasion.at);
        if (isRefusal(building)) return building;
        const batch = await batchOf(organisation, buildingId, building, observations, {
          ...occasion,
          traceparent: tracing.current(),
        });
        await months.make(batch.times);
        const { rows } = await db.query<{ written: boolean }>({
          name: 'telemetry ingest',
          text: STATEMENT,
          values: batch.values,
        });
        if (rows[0]?.written) {
          announced();
          return { accepted: observations.length };
        }
        await points.current(organisation, buildingId);
      } catch (error) {
        // A partition was dropped, the ingest conflicted with the sealing of a day, or the points
        // are being imported.
        if (!isMissingPartition(error) && !isBusy(error)) throw error;
        months.forget();
      }
      await pauses.pause(never);
    } while (performance.now() < givenUpAt);
    throw new LogUnavailable('the building was being imported');
  };

  return (organisation, buildingId, observations, occasion) =>
    within(
      tracing.child(() => ingestSpan(observations.length)),
      () => observe(organisation, buildingId, observations, occasion),
    );
};

type Observe = Telemetry['observe'];

/** Follows OpenTelemetry's conventions for databases. */
const ingestSpan = (samples: number): NewSpan => ({
  name: 'INSERT telemetry.observation',
  kind: 'client',
  attributes: {
    'db.system.name': 'postgresql',
    'db.operation.name': 'INSERT',
    'db.collection.name': 'telemetry.observation',
    'atrium.samples': samples,
  },
});

/**
 * A row that would not change is not written again. Waits for no import, which may take a minute:
 * the waiting ingests would hold all connections of the process.
 */
const STATEMENT = `
  with building as materialized (
    select from graph.building
    where id = $1 and organisation = $2 and revision = $3
    for key share skip locked
  ), sample as (
    insert into telemetry.observation as o (series_id, observed_at, value)
    select * from unnest($4::int4[], $5::timestamptz[], $6::float8[])
    where exists (select from building)
    on conflict (series_id, observed_at) do update set value = excluded.value
      where o.value <> excluded.value
  ), latest as (
    insert into telemetry.latest as l (series_id, observed_at, value)
    select * from unnest($7::int4[], $8::timestamptz[], $9::float8[])
    where exists (select from building)
    on conflict (series_id) do update
      set observed_at = excluded.observed_at, value = excluded.value
      where l.observed_at <= excluded.observed_at
  ), announcement as (
    insert into graph.announcement (id, stream, event, record)
    select id, $12, event, $13 from unnest($10::uuid[], $11::json[]) as told (id, event)
    where exists (select from building)
  )
  select exists (select from building) as written`;

/** The parameters of {@link STATEMENT}, in slices: a batch may hold thousands of observations. */
const batchOf = async (
  organisation: string,
  buildingId: string,
  { revision, points }: BuildingPoints,
  observations: readonly Observation[],
  { at, by, origin, traceparent }: Occasion & Pick<AnnouncementRecord, 'traceparent'>,
) => {
  // Parsing and validating a large batch has used up this turn of the event loop.
  if (observations.length > INGEST_LARGE_OBSERVATIONS) await givenWay();
  // Sorted, so that concurrent ingests cannot deadlock.
  const byPoint = samplesByPoint(observations, (pointId) => points.get(pointId)!.seriesId);
  const samples = [...byPoint.values()].flat();
  const latest = [...byPoint.values()].map((ofPoint) => ofPoint.at(-1)!);
  const events: string[] = [];
  await forEachInSlices(updatesOf(byPoint, points), (updates) => {
    const event: PointsUpdated = { type: 'PointsUpdated', buildingId, points: [...updates] };
    events.push(JSON.stringify(event));
  });
  const columnsOf = (rows: readonly Observation[]) => [
    () => int4Array(rows.map(({ pointId }) => points.get(pointId)!.seriesId)),
    () => timestamptzArray(rows.map(({ atMs }) => atMs)),
    () => float8Array(rows.map(({ value }) => Number(value))),
  ];
  const columns = await mapInSlices(
    [
      ...columnsOf(samples),
      ...columnsOf(latest),
      () => uuidArray(events.map(() => newId())),
      () => jsonArray(events),
    ],
    (column) => column(),
  );
  const eventContext = { at, by, origin, organisation, traceparent };
  const record: AnnouncementRecord = { commandId: newId(), ...eventContext };
  return {
    times: samples.map(({ atMs }) => atMs),
    values: [
      buildingId,
      organisation,
      revision,
      ...columns,
      telemetryStream(buildingId, at),
      JSON.stringify(record),
    ],
  };
};
