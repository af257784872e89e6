/** The places that labels name, for those who hold a label and have not signed in. */
import type { Pool } from 'pg';

export interface LabelledPlace {
  readonly kind: 'space' | 'element';
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** Name of the storey. */
  readonly storey: string | null;
}

export interface Label {
  readonly buildingId: string;
  readonly kind: 'space' | 'element';
  readonly id: string;
  /** Matched if no place of the kind has the id any more. */
  readonly code: string | null;
}

export interface LabelPlaces {
  /** The organisation of a building, without authorisation; `null`: no such building. */
  ownerOf(buildingId: string): Promise<string | null>;
  buildingName(buildingId: string): Promise<string | null>;
  /** `null`: no such place. */
  placeOf(label: Label): Promise<LabelledPlace | null>;
}

export const labelPlaces = (db: Pick<Pool, 'query'>): LabelPlaces => ({
  ownerOf: async (buildingId) => {
    const { rows } = await db.query<{ organisation: string }>({
      name: 'label owner',
      text: 'select organisation from graph.building where id = $1',
      values: [buildingId],
    });
    return rows[0]?.organisation ?? null;
  },

  buildingName: async (buildingId) => {
    const { rows } = await db.query<{ name: string }>({
      name: 'label building',
      text: `select name from graph.node where id = $1 and kind = 'building'`,
      values: [buildingId],
    });
    return rows[0]?.name ?? null;
  },

  placeOf: async ({ buildingId, kind, id, code }) => {
    const { rows } = await db.query<LabelledPlace>({
      name: 'label place',
      text: `select n.kind, n.id, n.code, n.name, storey.name as storey
        from graph.node n
        left join graph.space on space.id = n.id
        left join graph.element on element.id = n.id
        left join graph.space room on room.id = element.space_id
        left join graph.node storey
          on storey.id = coalesce(space.storey_id, element.storey_id, room.storey_id)
        where n.building_id = $1 and n.kind = $2 and (n.id = $3 or n.code = $4)
        order by n.id = $3 desc limit 1`,
      values: [buildingId, kind, id, code],
    });
    return rows[0] ?? null;
  },
});
