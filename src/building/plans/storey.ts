/**
 * Beginning of a statement, which selects the storey of a plan: `$1` the building, `$2` its
 * organisation, `$3` the storey, or null for the ground floor, else the lowest storey above it.
 */
export const STOREY = `
  with storey as (
    select n.id, n.code, n.name, storey.level, storey.elevation, storey.height, b.north
    from graph.building b
    join graph.node n on n.building_id = b.id and n.kind = 'storey'
    join graph.storey on storey.id = n.id
    where b.id = $1 and b.organisation = $2 and ($3::uuid is null or n.id = $3)
    order by storey.level < 0, abs(storey.level), n.code
    limit 1
  )`;

export interface StoreyPlace {
  readonly organisation: string;
  readonly buildingId: string;
  /** Default: the ground floor, else the lowest storey above it, else the highest. */
  readonly storeyId?: string | undefined;
}
