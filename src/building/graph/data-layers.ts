/** Values of integrations for the spaces of a building. contract.md section 6. */
import type { Pool } from 'pg';
import { transaction } from '../../engine/postgres/transaction.ts';
import type { Instant, Refusal } from '../../engine/aggregates/decider.ts';
import {
  assignValues,
  mismatchReason,
  type KeyBy,
  type LayerEntry,
  type LayerValue,
  type MismatchReason,
} from '../../domain/buildings/layer-values.ts';
import type { Page, Range } from './graph.ts';
import { keepLayer, putValues, spacesOfKeys } from './layer-values.ts';
import { within, type Query } from './lists.ts';
import { holdBuilding } from './owned-building.ts';

export interface DataLayers {
  /**
   * Writes values for rooms in one transaction; the last one for a room counts. The first upload
   * creates the layer.
   *
   * Refuses `NOT_FOUND` for a building that is not the organisation's.
   *
   * @throws A lock timeout while the building is being imported into.
   */
  upload(
    organisation: string,
    buildingId: string,
    upload: LayerUpload,
  ): Promise<UploadResult | Refusal>;
  /** Sorted by slug; `null` if the organisation has no such building. */
  layers(organisation: string, buildingId: string, range: Range): Promise<Page<LayerRow> | null>;
  /** Sorted by the space's code; `null` also if the building has no such layer. */
  values(
    organisation: string,
    buildingId: string,
    slug: string,
    range: Range,
  ): Promise<Page<ValueRow> | null>;
}

export interface LayerUpload {
  readonly slug: string;
  readonly keyBy: KeyBy;
  /** Match only externalIds of this source system; `null`: of any. */
  readonly sourceSystem: string | null;
  readonly entries: readonly LayerEntry[];
  readonly at: Instant;
}

export interface UploadResult {
  /** Number of rooms that now have the value sent for them. */
  readonly written: number;
  /** Distinct keys without a room. */
  readonly unmatched: readonly string[];
  readonly diagnostics?: UploadDiagnostics;
}

/** Keys that match several rooms; else, if no key matched a room, the reason. */
export type UploadDiagnostics =
  | { readonly reason: 'AMBIGUOUS_KEYS'; readonly keys: readonly string[] }
  | { readonly reason: MismatchReason };

export interface LayerRow {
  readonly slug: string;
  /** Number of rooms with a value. */
  readonly values: number;
  readonly createdAt: Instant;
}

export interface ValueRow {
  readonly spaceId: string;
  readonly externalId: string | null;
  readonly value: LayerValue;
  readonly updatedAt: Instant;
}

export const dataLayers = (db: Pool): DataLayers => ({
  upload: (organisation, buildingId, { slug, keyBy, sourceSystem, entries, at }) =>
    transaction<UploadResult | Refusal>(db, async (client) => {
      const refusal = await holdBuilding(client, organisation, buildingId);
      if (refusal) return refusal;
      const layerId = await keepLayer(client, buildingId, slug, at);
      const keys = entries.map(({ key }) => key);
      const found = await spacesOfKeys(client, buildingId, keys, sourceSystem);
      const { values, unmatched, ambiguous } = assignValues(entries, keyBy, found);
      if (values.size > 0) await putValues(client, layerId, values, at);
      const outcome = { written: values.size, unmatched };
      if (ambiguous.length > 0)
        return { ...outcome, diagnostics: { reason: 'AMBIGUOUS_KEYS', keys: ambiguous } };
      if (values.size > 0 || entries.length === 0) return outcome;
      const { rows } = await client.query<{ spaces: number; spacesWithExternalId: number }>(
        `select count(*)::int as spaces, count(external_id)::int as "spacesWithExternalId"
         from graph.node where building_id = $1 and kind = 'space'`,
        [buildingId],
      );
      return { ...outcome, diagnostics: { reason: mismatchReason(keyBy, rows[0]!) } };
    }),

  layers: (organisation, buildingId, range) =>
    within(db, organisation, buildingId, layerQuery, range),

  async values(organisation, buildingId, slug, range) {
    const page = await within(db, organisation, buildingId, valueQuery, range, [slug]);
    if (page && page.total === 0 && !(await hasLayer(db, buildingId, slug))) return null;
    return page;
  },
});

const hasLayer = async (db: Pool, buildingId: string, slug: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    'select from graph.data_layer where building_id = $1 and slug = $2',
    [buildingId, slug],
  );
  return rowCount === 1;
};

/** ISO 8601: inside JSON, Postgres would write times in its own format. */
const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const layerQuery: Query<LayerRow> = {
  members: {
    slug: 'layer.slug',
    values: '(select count(*) from graph.layer_value v where v.layer_id = layer.id)',
    createdAt: instant('layer.created_at'),
  },
  from: 'graph.data_layer layer',
  where: 'layer.building_id = $1',
  order: 'layer.slug',
};

const valueQuery: Query<ValueRow> = {
  members: {
    spaceId: 'n.id',
    externalId: 'n.external_id',
    value: 'v.value',
    updatedAt: instant('v.updated_at'),
  },
  from: `graph.data_layer layer
         join graph.layer_value v on v.layer_id = layer.id
         join graph.node n on n.id = v.space_id`,
  where: 'layer.building_id = $1 and layer.slug = $2',
  order: 'n.code',
};
