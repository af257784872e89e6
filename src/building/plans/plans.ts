/** Plans of storeys. contract.md section 6 «Outlines». */
import type { Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import {
  boundsOf,
  outlineOf,
  type Outline,
  type Position,
} from '../../domain/buildings/outline.ts';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { holdBuilding } from '../graph/owned-building.ts';
import { PLAN_SPACES_MAX } from './limits.ts';
import { schematicOf } from './schematic.ts';
import { putShapes } from '../graph/shapes.ts';
import { STOREY, type StoreyPlace } from './storey.ts';

export interface Plans {
  /**
   * The plan of a storey as JSON; rooms sorted by code, at most {@link PLAN_SPACES_MAX}.
   *
   * @returns `null` if the organisation has no such building, or the building no such storey.
   */
  plan(place: StoreyPlace): Promise<PlanText | null>;

  /** The plan as an object, parsed room by room, so that no parse blocks for long. */
  read(place: StoreyPlace): Promise<StoreyPlan | null>;

  /**
   * Replaces the outline of one space. Idempotent.
   *
   * @param outline `null` removes it.
   *
   * Refuses `NOT_FOUND` for a building or a space that the organisation does not have.
   *
   * @throws A lock timeout while the building is being imported into.
   */
  putOutline(
    organisation: string,
    place: { readonly buildingId: string; readonly spaceId: string },
    outline: Outline | null,
  ): Promise<StoredOutline | Refusal>;
}

export interface StoredOutline {
  readonly outline: Outline | null;
}

export interface PlanText {
  /** A {@link StoreyPlan} as text, because plans of megabytes are passed on unparsed. */
  readonly json: string;
}

export interface StoreyPlan {
  readonly storey: {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly level: number;
    readonly elevation: number | null;
    readonly height: number | null;
  };
  /** Degrees clockwise from +y; `null`: unknown. */
  readonly north: number | null;
  /** Bounding box of all drawn shapes; `null` if there are none. */
  readonly bounds: { readonly min: Position; readonly max: Position } | null;
  readonly outline: Outline | null;
  readonly walls: readonly Outline[];
  readonly doors: readonly Outline[];
  readonly windows: readonly Outline[];
  readonly spaces: readonly {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly areaSqm: number | null;
    /** `null` for a room without an outline, if other rooms of the storey have one. */
    readonly outline: Outline | null;
    readonly labelAt: Position | null;
  }[];
  /** Number of the storey's rooms, including those beyond the limit. */
  readonly spacesTotal: number;
  /** No room has an outline, so the rooms are drawn as rectangles by area. */
  readonly schematic: boolean;
}

export const postgresPlans = (db: Pool): Plans => ({
  async plan(place) {
    const row = await rowOf(db, place, SPACES);
    return row && { json: isDrawn(row) ? drawn(row) : schematic(row) };
  },

  async read(place) {
    const row = await rowOf(db, place, SPACES_UNLESS_DRAWN);
    if (!row) return null;
    if (!isDrawn(row)) return JSON.parse(schematic(row)) as StoreyPlan;
    const { rows: spaces } = await db.query<StoreyPlan['spaces'][number]>(
      `${STOREY} select n.id, n.code, n.name, space.area_sqm as "areaSqm", o.rings as outline,
                o.label_at as "labelAt"
       from storey join graph.space on space.storey_id = storey.id
       join graph.node n on n.id = space.id
       left join graph.outline o on o.node_id = n.id
       order by n.code limit $4`,
      [...valuesOf(place)],
    );
    return { ...(JSON.parse(drawn(row)) as StoreyPlan), spaces };
  },

  putOutline: (organisation, { buildingId, spaceId }, outline) =>
    transaction<StoredOutline | Refusal>(db, async (client) => {
      const refusal = await holdBuilding(client, organisation, buildingId);
      if (refusal) return refusal;
      const { rowCount } = isUuid(spaceId)
        ? await client.query(
            `select from graph.node where id = $1 and building_id = $2 and kind = 'space'
             for no key update`,
            [spaceId, buildingId],
          )
        : { rowCount: 0 };
      if (rowCount === 0) return refuse('NOT_FOUND', 'No space of this building has this id.');
      if (outline !== null) {
        await putShapes(client, [{ id: spaceId, outline }]);
        return { outline: outlineOf(outline) as Outline };
      }
      await client.query('delete from graph.outline where node_id = $1', [spaceId]);
      return { outline: null };
    }),
});

const isDrawn = ({ outlined, spacesTotal }: PlanRow) => outlined > 0 || spacesTotal === 0;

const valuesOf = ({ organisation, buildingId, storeyId }: StoreyPlace): readonly unknown[] => [
  buildingId,
  organisation,
  storeyId ?? null,
  PLAN_SPACES_MAX,
];

const rowOf = async (db: Pool, place: StoreyPlace, spaces: string): Promise<PlanRow | null> => {
  if (![place.buildingId, place.storeyId ?? place.buildingId].every(isUuid)) return null;
  const { rows } = await db.query<PlanRow>(planQuery(spaces), [...valuesOf(place)]);
  return rows[0] ?? null;
};

interface PlanRow {
  readonly storey: string;
  readonly north: number | null;
  readonly outline: string | null;
  readonly drawing: string | null;
  /** As JSON. */
  readonly spaces: string;
  readonly spacesTotal: number;
  /** Number of spaces with an outline. */
  readonly outlined: number;
  readonly min: Position;
  readonly max: Position;
  readonly hasBounds: boolean;
}

/** As JSON. */
const SPACES = `(select coalesce(json_agg(json_build_object('id', id, 'code', code, 'name', name,
                   'areaSqm', area_sqm, 'outline', rings, 'labelAt', label_at) order by code),
                 '[]')::text from shown)`;

/** The spaces as JSON, unless one of them has an outline. */
const SPACES_UNLESS_DRAWN = `case when exists (select from space where rings is not null)
  then '[]' else ${SPACES} end`;

/** @param spaces An expression: the rows of `shown` as JSON. */
const planQuery = (spaces: string) => `${STOREY},
  space as (
    select n.id, n.code, n.name, space.area_sqm, o.rings, o.label_at, o.bounds
    from storey
    join graph.space on space.storey_id = storey.id
    join graph.node n on n.id = space.id
    left join graph.outline o on o.node_id = n.id
  ), shown as (select * from space order by code limit $4),
  bounds as (
    select bounds from space where bounds is not null
    union all select o.bounds from storey join graph.outline o on o.node_id = storey.id
    union all select d.bounds from storey join graph.drawing d on d.storey_id = storey.id
  ), extent as (
    select min(bounds[1]) as x0, min(bounds[2]) as y0, max(bounds[3]) as x1, max(bounds[4]) as y1
    from bounds
  )
  select json_build_object('id', storey.id, 'code', storey.code, 'name', storey.name,
           'level', storey.level, 'elevation', storey.elevation,
           'height', storey.height)::text as storey,
         storey.north,
         (select rings::text from graph.outline o where o.node_id = storey.id) as outline,
         (select drawing::text from graph.drawing d where d.storey_id = storey.id) as drawing,
         ${spaces} as spaces,
         (select count(*)::int from space) as "spacesTotal",
         (select count(rings)::int from space) as outlined,
         array[x0, y0] as min, array[x1, y1] as max, x0 is not null as "hasBounds"
  from storey, extent`;

/** Joins the JSON texts of the database. */
const drawn = (row: PlanRow): string => {
  const { storey, north, outline, drawing, spaces, spacesTotal, hasBounds, min, max } = row;
  const bounds = hasBounds ? { min, max } : null;
  const rest = `"outline":${outline ?? 'null'},${members(drawing)}"spaces":${spaces}`;
  return (
    `{"storey":${storey},"north":${JSON.stringify(north)},"bounds":${JSON.stringify(bounds)},` +
    `${rest},"spacesTotal":${spacesTotal},"schematic":false}`
  );
};

/** `{"walls":…}` as members of another object. */
const members = (drawing: string | null): string =>
  drawing === null ? '"walls":[],"doors":[],"windows":[],' : `${drawing.slice(1, -1)},`;

interface SpaceText {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly areaSqm: number | null;
}

const schematic = ({ storey, spaces, spacesTotal }: PlanRow): string => {
  const placed = schematicOf(JSON.parse(spaces) as readonly SpaceText[]);
  const plan: StoreyPlan = {
    storey: JSON.parse(storey) as StoreyPlan['storey'],
    // Rectangles have no direction.
    north: null,
    bounds: boundsOf(placed.map(({ outline }) => outline)),
    outline: null,
    walls: [],
    doors: [],
    windows: [],
    spaces: placed.map(({ room, outline, labelAt }) => ({ ...room, outline, labelAt })),
    spacesTotal,
    schematic: true,
  };
  return JSON.stringify(plan);
};
