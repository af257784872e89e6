/** Resolves external identifiers to internal ids. contract.md section 6. */
import type { Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import { refuse } from '../../engine/aggregates/decider.ts';
import { RESOLVED_NODES_MAX } from './limits.ts';
import type { Graph, ResolvedNode } from './graph.ts';

export const graphResolving = (db: Pool): Pick<Graph, 'resolve'> => ({
  async resolve(organisation, buildingId, { externalIds, codes, sourceSystem = null }) {
    if (!isUuid(buildingId)) return null;
    const owned = 'select from graph.building where id = $1 and organisation = $2';
    const building = await db.query(owned, [buildingId, organisation]);
    if (building.rowCount === 0) return null;

    // Codes are the building's own, whatever system an external identifier is of.
    const { rows } = await db.query<ResolvedNode>(
      `with node as (
         select id, kind, code, source_system, external_id from graph.node
         where building_id = $1 and kind <> 'building'
       )
       select 'externalId' as by, key, kind, id
       from unnest($2::text[]) with ordinality as asked(key, place)
       join node on external_id = key and ($4::text is null or source_system = $4)
       union all
       select 'code', key, kind, id
       from unnest($3::text[]) with ordinality as asked(key, place) join node on code = key
       order by 1 desc, 2, 3, 4 limit ${RESOLVED_NODES_MAX + 1}`,
      [buildingId, distinct(externalIds), distinct(codes), sourceSystem],
    );
    if (rows.length > RESOLVED_NODES_MAX) {
      const message = `is required: more than ${RESOLVED_NODES_MAX} nodes have these identifiers`;
      return refuse('VALIDATION_FAILED', `sourceSystem ${message}.`, {
        errors: [{ path: 'sourceSystem', message }],
      });
    }
    const found = (by: ResolvedNode['by']) =>
      new Set(rows.flatMap((row) => (row.by === by ? [row.key] : [])));
    const missing = (by: ResolvedNode['by'], keys: readonly string[]) => {
      const nodesBy = found(by);
      return distinct(keys).filter((key) => !nodesBy.has(key));
    };
    return {
      resolved: rows.map(({ key, by, kind, id }) => ({ key, by, kind, id })),
      unmatched: distinct([...missing('externalId', externalIds), ...missing('code', codes)]),
    };
  },
});

const distinct = (keys: readonly string[]): readonly string[] => [...new Set(keys)];
