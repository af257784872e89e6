import { sql, type Kysely } from 'kysely';

/**
 * What the points of buildings have told, and the rules that watch it. design.md decision 10.
 *
 * Samples hang on a series and not on a point's id: an import that recreates the ids of a building
 * leads each series to its new point by one row, however long its history is.
 */
export const telemetryTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema telemetry`,

  // Moves with every change of the building's nodes: who keeps its points in memory compares it.
  `alter table graph.building add column revision bigint not null default 0`,

  `create table telemetry.series (
     id integer generated always as identity primary key,
     building_id uuid not null references graph.building on delete cascade,
     point_id uuid not null unique
   )`,
  `create index series_building on telemetry.series (building_id)`,

  // Of points that are gone: their samples are taken away bit by bit.
  `create table telemetry.gone_series (id integer primary key)`,

  // What has been observed and is not sealed yet; a yes is 1, a no is 0. A partition a month,
  // made when its first sample comes.
  `create table telemetry.observation (
     series_id integer not null,
     observed_at timestamptz not null,
     value double precision not null,
     primary key (series_id, observed_at)
   ) partition by range (observed_at)`,

  // A finished day of a series in one row. Times are a grid of equal steps, with null where a
  // sample is missing, or are told one by one; values are whole numbers of two bytes, counted
  // from base and divided by divisor, or doubles. src/domain/telemetry/sealed-day.ts
  `create table telemetry.sealed_day (
     series_id integer not null,
     day date not null,
     first_ms integer not null,
     step_ms integer,
     offsets_ms integer[],
     divisor double precision,
     base bigint,
     packed smallint[],
     exact double precision[],
     primary key (series_id, day),
     check (num_nonnulls(step_ms, offsets_ms) = 1),
     check (num_nonnulls(packed, exact) = 1)
   ) partition by range (day)`,

  // Every sample, wherever it lies. One that came after its day was sealed stands in observation
  // and counts instead of the sealed one of the same time.
  `create view telemetry.sample as
   select series_id, (observed_at at time zone 'UTC')::date as day, observed_at, value
   from telemetry.observation
   union all
   select d.series_id, d.day, at.observed_at,
          coalesce(s.exact, (d.base + s.packed)::double precision / d.divisor)
   from telemetry.sealed_day d
   cross join lateral unnest(d.offsets_ms, d.packed, d.exact)
     with ordinality as s (offset_ms, packed, exact, place)
   cross join lateral (
     select (d.day::timestamp at time zone 'UTC') + interval '1 millisecond' *
            coalesce(s.offset_ms, d.first_ms + (s.place - 1) * d.step_ms) as observed_at
   ) as at
   where num_nonnulls(s.packed, s.exact) = 1
     and not exists (
       select from telemetry.observation o
       where o.series_id = d.series_id and o.observed_at = at.observed_at
     )`,

  // Written with every ingest: room on its pages keeps its rows where they are.
  `create table telemetry.latest (
     series_id integer primary key,
     observed_at timestamptz not null,
     value double precision not null
   ) with (fillfactor = 50)`,

  `create table telemetry.rule (
     id uuid primary key,
     building_id uuid not null references graph.building on delete cascade,
     title text not null,
     severity text not null,
     series_id integer references telemetry.series on delete cascade,
     point_class text collate "C",
     comparison text collate "C" not null
       check (comparison in ('gt', 'gte', 'lt', 'lte', 'stale')),
     threshold double precision not null,
     for_seconds integer not null,
     created_at timestamptz not null,
     body_hash text,
     check (num_nonnulls(series_id, point_class) = 1)
   )`,
  `create index rule_building on telemetry.rule (building_id)`,
  `create index rule_series on telemetry.rule (series_id) where series_id is not null`,

  `create table telemetry.fault (
     id uuid primary key,
     building_id uuid not null references graph.building on delete cascade,
     rule_id uuid not null,
     series_id integer not null references telemetry.series on delete cascade,
     severity text not null,
     title text not null,
     value double precision not null,
     opened_at timestamptz not null,
     closed_at timestamptz
   )`,
  // At most one is open for a rule and a point.
  `create unique index fault_open on telemetry.fault (rule_id, series_id)
     where closed_at is null`,
  `create index fault_building on telemetry.fault (building_id, opened_at desc, id)`,

  // The sample of a point that the rules have looked at last.
  `create table telemetry.followed (
     series_id integer primary key references telemetry.series on delete cascade,
     observed_at timestamptz not null,
     value double precision not null
   )`,

  // Since when a condition holds that has not held for long enough to be a fault.
  `create table telemetry.breach (
     rule_id uuid not null references telemetry.rule on delete cascade,
     series_id integer not null references telemetry.series on delete cascade,
     since timestamptz not null,
     primary key (rule_id, series_id)
   )`,
  `create index breach_series on telemetry.breach (series_id)`,
];
