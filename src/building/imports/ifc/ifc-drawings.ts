/** Walls, doors and windows of an IFC file, and the area that each covers on its storey. */
import {
  IFCCOLUMN,
  IFCCURTAINWALL,
  IFCDOOR,
  IFCRELFILLSELEMENT,
  IFCRELVOIDSELEMENT,
  IFCWALL,
  IFCWINDOW,
} from 'web-ifc';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import type { IfcRelations } from './ifc-relations.ts';
import type { ShapeSource } from './shapes/shape-source.ts';

/** The products drawn on a storey. */
export interface DrawnProducts {
  /** Walls, curtain walls and columns; an assembly is replaced by its parts. */
  readonly walls: readonly DrawnProduct[];
  readonly doors: readonly FilledOpening[];
  readonly windows: readonly FilledOpening[];
}

export interface DrawnProduct {
  /** The product with a location in the building; for a part, its assembly. */
  readonly whole: IfcEntity;
  readonly product: IfcEntity;
}

export interface FilledOpening {
  readonly product: IfcEntity;
  /** The hole in a wall, and the wall; `null` for a door in a curtain wall. */
  readonly opening: IfcEntity | null;
  readonly wall: ExpressId | null;
}

/** Unreadable products are left out: rooms do not depend on their walls. */
export const drawnProducts = (
  model: IfcModel,
  source: ShapeSource,
  { whole }: IfcRelations,
): DrawnProducts => {
  const readable = (ids: readonly ExpressId[]): readonly IfcEntity[] =>
    ids.flatMap((id) => {
      const entity = source.shape(() => source.entity(id));
      return typeof entity === 'string' ? [] : entity;
    });
  const pairsOf = (type: number, from: string, to: string) =>
    new Map(
      readable(model.idsOf(type)).flatMap((relation) => {
        const ends = [relation.reference(from), relation.reference(to)] as const;
        return ends[0] === null || ends[1] === null ? [] : [[ends[0], ends[1]] as const];
      }),
    );

  const partsOf = new Map<ExpressId, ExpressId[]>();
  for (const [part, of] of whole) {
    const parts = partsOf.get(of);
    if (parts) parts.push(part);
    else partsOf.set(of, [part]);
  }
  const openingOf = pairsOf(IFCRELFILLSELEMENT, 'RelatedBuildingElement', 'RelatingOpeningElement');
  const wallOf = pairsOf(IFCRELVOIDSELEMENT, 'RelatedOpeningElement', 'RelatingBuildingElement');
  const all = (type: number) => readable(model.idsOf(type, 'withSubtypes'));

  const wall = (entity: IfcEntity): readonly DrawnProduct[] => {
    const parts = entity.reference('Representation') === null ? (partsOf.get(entity.id) ?? []) : [];
    return parts.length === 0
      ? [{ whole: entity, product: entity }]
      : readable(parts).map((product) => ({ whole: entity, product }));
  };
  const filled = (product: IfcEntity): FilledOpening => {
    const id = openingOf.get(product.id);
    const [opening = null] = id === undefined ? [] : readable([id]);
    return { product, opening, wall: (opening && wallOf.get(opening.id)) ?? null };
  };
  return {
    walls: [IFCWALL, IFCCURTAINWALL, IFCCOLUMN].flatMap(all).flatMap(wall),
    doors: all(IFCDOOR).map(filled),
    windows: all(IFCWINDOW).map(filled),
  };
};
