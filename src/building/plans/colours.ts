/** Values that colour the rooms of a plan: faults, data layers, points. contract.md section 6. */
import type { Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import { namedPriority } from '../../domain/telemetry/fault-ticket.ts';
import { priorities } from '../../domain/tickets/events.ts';
import { refuse, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import {
  COLOURINGS_MAX,
  COLOUR_CATEGORIES_MAX,
  COLOUR_POINTS_MAX,
  PLAN_SPACES_MAX,
} from './limits.ts';
import { meanOf } from '../telemetry/mean.ts';
import { STOREY, type StoreyPlace } from './storey.ts';

export type PlanColour =
  | { readonly by: 'tickets' }
  | { readonly by: 'faults' }
  | { readonly by: 'layer'; readonly slug: string }
  | { readonly by: 'point'; readonly pointClass: string };

export interface RoomValue {
  readonly spaceId: string;
  /** For levels the worst, for points the mean. */
  readonly value: number | string | boolean | null;
  /** For tickets and faults. */
  readonly count?: number;
  /** Whether one of its tickets is overdue. */
  readonly overdue?: boolean;
}

export interface StoreyColours {
  /** `level`: from `low` to `critical`; the others have `scale` or `categories`. */
  readonly kind: 'level' | 'number' | 'category';
  readonly unit: string | null;
  /** For numbers: minimum and maximum of the storey. */
  readonly scale: { readonly min: number; readonly max: number } | null;
  /** Most frequent first, at most {@link COLOUR_CATEGORIES_MAX}. */
  readonly categories: readonly (string | boolean)[] | null;
  /** Rooms without a value are left out. */
  readonly spaces: readonly RoomValue[];
}

export interface Colouring {
  /** As in a query parameter: `layer:occupancy`. */
  readonly colour: string;
  readonly name: string;
  readonly kind: StoreyColours['kind'];
  readonly unit: string | null;
}

export interface PlanColours {
  /**
   * The rooms of a storey, sorted by code, at most {@link PLAN_SPACES_MAX}. `null` if the
   * organisation has no such building, or the building no such storey.
   */
  rooms(place: StoreyPlace): Promise<readonly string[] | null>;

  /**
   * The values of the rooms of a storey. `null` as for `rooms`.
   *
   * @param at Default: now. Only faults and points have past values.
   *
   * Refuses `VALIDATION_FAILED` for past values of anything else, and of more than
   * {@link COLOUR_POINTS_MAX} points.
   */
  values(
    place: StoreyPlace,
    colour: Exclude<PlanColour, { by: 'tickets' }>,
    at?: Instant,
  ): Promise<StoreyColours | Refusal | null>;

  /** The data layers and point classes of the storey's rooms. `null` as for `rooms`. */
  colourings(place: StoreyPlace): Promise<readonly Colouring[] | null>;
}

/** @param keptFromMs Past values are of no older samples. */
export const planColours = (db: Pool, keptFromMs: () => number): PlanColours => {
  const rows = async <Row extends object>(
    { organisation, buildingId, storeyId }: StoreyPlace,
    text: string,
    ...values: readonly unknown[]
  ): Promise<readonly Row[]> => {
    const parameters = [buildingId, organisation, storeyId ?? null, ...values];
    return (await db.query<Row>(`${STOREY} ${text}`, parameters)).rows;
  };
  const isStorey = async (place: StoreyPlace): Promise<boolean> =>
    [place.buildingId, place.storeyId ?? place.buildingId].every(isUuid) &&
    (await rows(place, 'select from storey')).length === 1;

  const faults = (place: StoreyPlace, at: Instant | undefined) =>
    rows<LevelRow>(
      place,
      `select r.id as "spaceId", f.severity as level, count(*)::int
       from storey
       join graph.space r on r.storey_id = storey.id
       join graph.element on element.space_id = r.id
       join graph.point on point.element_id = element.id
       join telemetry.series on series.point_id = point.id
       join telemetry.fault f on f.series_id = series.id and f.building_id = $1
       where ${
         at === undefined
           ? 'f.closed_at is null'
           : `f.opened_at between $4::timestamptz - $5 * interval '1 millisecond' and $4
              and (f.closed_at is null or f.closed_at > $4)`
       }
       group by r.id, f.severity`,
      ...(at === undefined ? [] : [at, FAULTS_LOOKED_BACK_MS]),
    );

  const layer = (place: StoreyPlace, slug: string) =>
    rows<Pick<RoomValue, 'spaceId' | 'value'>>(
      place,
      `select r.id as "spaceId", v.value
       from storey
       join graph.space r on r.storey_id = storey.id
       join graph.data_layer layer on layer.building_id = $1 and layer.slug = $4
       join graph.layer_value v on v.layer_id = layer.id and v.space_id = r.id
       where v.value <> 'null'
       limit $5`,
      slug,
      PLAN_SPACES_MAX,
    );

  const latest = (place: StoreyPlace, pointClass: string) =>
    rows<PointsRow>(
      place,
      `select r.id as "spaceId", ${meanOf('latest.value')} as value, ${OF_POINTS}
       from storey ${POINTS_OF_ROOMS}
       join telemetry.latest on latest.series_id = series.id
       where point.point_class = $4
       group by r.id limit $5`,
      pointClass,
      PLAN_SPACES_MAX,
    );

  const earlier = async (place: StoreyPlace, pointClass: string, at: Instant) => {
    const points = await rows<{ count: number }>(
      place,
      `select count(*)::int from storey ${POINTS_OF_ROOMS} where point.point_class = $4`,
      pointClass,
    );
    if (points[0]!.count > COLOUR_POINTS_MAX) {
      const message = `is supported for at most ${COLOUR_POINTS_MAX} points of a storey`;
      return refuse('VALIDATION_FAILED', `A past ${message}.`, {
        errors: [{ path: 'at', message }],
      });
    }
    // The sample is after this time, and the first retained time is included.
    const sinceMs = Math.max(Date.parse(at) - DAY_MS, keptFromMs() - 1);
    const since = new Date(sinceMs).toISOString();
    return rows<PointsRow>(
      place,
      `select r.id as "spaceId", ${meanOf('sample.value')} as value, ${OF_POINTS}
       from storey ${POINTS_OF_ROOMS}
       join lateral (${LAST_SAMPLE}) as sample on true
       where point.point_class = $4
       group by r.id limit $5`,
      pointClass,
      PLAN_SPACES_MAX,
      since.slice(0, 10),
      at.slice(0, 10),
      since,
      at,
    );
  };

  return {
    async rooms(place) {
      if (!(await isStorey(place))) return null;
      const found = await rows<{ id: string }>(
        place,
        `select n.id from storey join graph.space on space.storey_id = storey.id
         join graph.node n on n.id = space.id order by n.code limit $4`,
        PLAN_SPACES_MAX,
      );
      return found.map(({ id }) => id);
    },

    async values(place, colour, at) {
      if (!(await isStorey(place))) return null;
      if (colour.by === 'faults') return levelsOf(await faults(place, at));
      if (colour.by === 'layer') {
        if (at === undefined) return ofValues(await layer(place, colour.slug), null);
        const message = 'is only supported for faults and points';
        return refuse('VALIDATION_FAILED', `A past ${message}.`, {
          errors: [{ path: 'at', message }],
        });
      }
      const found =
        at === undefined
          ? await latest(place, colour.pointClass)
          : await earlier(place, colour.pointClass, at);
      if ('refused' in found) return found;
      const [unit] = new Set(found.map((row) => row.unit));
      return ofValues(
        found.map(({ spaceId, value, isBoolean }) => ({
          spaceId,
          value: isBoolean ? value >= 0.5 : value,
        })),
        unit ?? null,
      );
    },

    async colourings(place) {
      if (!(await isStorey(place))) return null;
      const layers = await rows<{ slug: string; isNumber: boolean }>(
        place,
        `select layer.slug, bool_and(jsonb_typeof(v.value) = 'number') as "isNumber"
         from storey
         join graph.space r on r.storey_id = storey.id
         join graph.data_layer layer on layer.building_id = $1
         join graph.layer_value v on v.layer_id = layer.id and v.space_id = r.id
         where v.value <> 'null'
         group by layer.slug order by layer.slug limit $4`,
        COLOURINGS_MAX,
      );
      const classes = await rows<Omit<PointsRow, 'spaceId' | 'value'> & { pointClass: string }>(
        place,
        `select point.point_class as "pointClass", ${OF_POINTS}
         from storey ${POINTS_OF_ROOMS}
         group by point.point_class order by count(*) desc, point.point_class limit $4`,
        COLOURINGS_MAX,
      );
      return [
        ...layers.map(({ slug, isNumber }): Colouring => ({
          colour: `layer:${slug}`,
          name: slug.replaceAll('-', ' '),
          kind: isNumber ? 'number' : 'category',
          unit: null,
        })),
        ...classes.map(({ pointClass, isBoolean, unit }): Colouring => ({
          colour: `point:${pointClass}`,
          name: pointClass.replaceAll('_', ' '),
          kind: isBoolean ? 'category' : 'number',
          unit,
        })),
      ];
    },
  };
};

/** A fault that was open for longer is ignored in past values. */
const FAULTS_LOOKED_BACK_MS = 30 * DAY_MS;

const POINTS_OF_ROOMS = `
  join graph.space r on r.storey_id = storey.id
  join graph.element on element.space_id = r.id
  join graph.point on point.element_id = element.id
  join telemetry.series on series.point_id = point.id`;

/**
 * The last sample of `series` after `$8` up to `$9`. Of its sealed days from `$6` to `$7`, only the
 * last one with such a sample is unpacked, as by the view `telemetry.sample`. A live sample
 * replaces a sealed one of its time.
 */
const LAST_SAMPLE = `
  select value from (
    (select observed_at, value, true as live from telemetry.observation o
     where o.series_id = series.id and o.observed_at > $8 and o.observed_at <= $9
     order by o.observed_at desc limit 1)
    union all
    (select last.observed_at, last.value, false from telemetry.sealed_day d
     cross join lateral (
       select at.observed_at,
              coalesce(s.exact, (d.base + s.packed)::double precision / d.divisor) as value
       from unnest(d.offsets_ms, d.packed, d.exact)
         with ordinality as s (offset_ms, packed, exact, place)
       cross join lateral (
         select (d.day::timestamp at time zone 'UTC') + interval '1 millisecond' *
                coalesce(s.offset_ms, d.first_ms + (s.place - 1) * d.step_ms) as observed_at
       ) as at
       where num_nonnulls(s.packed, s.exact) = 1
         and at.observed_at > $8 and at.observed_at <= $9
       order by s.place desc limit 1
     ) as last
     where d.series_id = series.id and d.day between $6 and $7
     order by d.day desc limit 1)
  ) as last
  order by observed_at desc, live desc limit 1`;

/** If the points of a class have several units, no unit is returned. */
const OF_POINTS = `bool_and(point.value_type = 'boolean') as "isBoolean",
  case when count(distinct point.unit) = 1 then min(point.unit) end as unit`;

interface PointsRow {
  readonly spaceId: string;
  readonly value: number;
  readonly isBoolean: boolean;
  readonly unit: string | null;
}

export interface LevelRow {
  readonly spaceId: string;
  readonly level: string;
  readonly count: number;
  readonly overdue?: boolean;
}

/** From rows by room and level: the worst level per room, and the sum of the counts. */
export const levelsOf = (rows: readonly LevelRow[]): StoreyColours => {
  const rooms = new Map<string, { value: string; count: number; overdue?: boolean }>();
  for (const { spaceId, level, count, overdue } of rows) {
    const value = namedPriority(level) ?? level;
    const room = rooms.get(spaceId) ?? { value, count: 0 };
    rooms.set(spaceId, {
      value: rankOf(value) > rankOf(room.value) ? value : room.value,
      count: room.count + count,
      ...(overdue !== undefined && { overdue: overdue || room.overdue === true }),
    });
  }
  const spaces = [...rooms].map(([spaceId, room]) => ({ spaceId, ...room }));
  return { kind: 'level', unit: null, scale: null, categories: null, spaces };
};

/** Other levels than priorities rank below them. */
const rankOf = (level: string): number => priorities.findIndex((priority) => priority === level);

const ofValues = (spaces: readonly RoomValue[], unit: string | null): StoreyColours => {
  const numbers = spaces.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  if (numbers.length === spaces.length) {
    const scale = numbers.length === 0 ? null : { min: least(numbers), max: greatest(numbers) };
    return { kind: 'number', unit, scale, categories: null, spaces };
  }
  const counts = new Map<string | boolean, number>();
  const categorised = spaces.map(({ value, ...room }) => {
    const category = typeof value === 'boolean' ? value : String(value);
    counts.set(category, (counts.get(category) ?? 0) + 1);
    return { ...room, value: category };
  });
  const categories = [...counts]
    .toSorted(([a, ofA], [b, ofB]) => ofB - ofA || (String(a) < String(b) ? -1 : 1))
    .slice(0, COLOUR_CATEGORIES_MAX)
    .map(([category]) => category);
  return { kind: 'category', unit: null, scale: null, categories, spaces: categorised };
};

const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b));
const greatest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b));
