/** Relations in an IFC file: parts, places, types, properties and classes. */
import {
  IFCRELAGGREGATES,
  IFCRELASSOCIATESCLASSIFICATION,
  IFCRELCONTAINEDINSPATIALSTRUCTURE,
  IFCRELDEFINESBYPROPERTIES,
  IFCRELDEFINESBYTYPE,
  IFCRELNESTS,
} from 'web-ifc';
import { IFC_NESTING_MAX } from '../limits.ts';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';

export interface IfcRelations {
  /** The whole or container of each entity. */
  readonly whole: ReadonlyMap<ExpressId, ExpressId>;
  /** The type object of each entity. */
  readonly type: ReadonlyMap<ExpressId, ExpressId>;
  /** Property sets and quantities. */
  readonly definitions: ReadonlyMap<ExpressId, readonly ExpressId[]>;
  readonly classifications: ReadonlyMap<ExpressId, readonly ExpressId[]>;
}

export const relationsIn = (model: IfcModel): IfcRelations => {
  const each = (type: number, related: string, relating: string) =>
    model.idsOf(type).flatMap((id) => {
      const relation = model.entity(id);
      const to = relation?.reference(relating) ?? null;
      if (!relation || to === null) return [];
      return relation.references(related).map((from) => [from, to] as const);
    });
  return {
    whole: new Map([
      ...each(IFCRELNESTS, 'RelatedObjects', 'RelatingObject'),
      ...each(IFCRELCONTAINEDINSPATIALSTRUCTURE, 'RelatedElements', 'RelatingStructure'),
      ...each(IFCRELAGGREGATES, 'RelatedObjects', 'RelatingObject'),
    ]),
    type: new Map(each(IFCRELDEFINESBYTYPE, 'RelatedObjects', 'RelatingType')),
    definitions: grouped(
      each(IFCRELDEFINESBYPROPERTIES, 'RelatedObjects', 'RelatingPropertyDefinition'),
    ),
    classifications: grouped(
      each(IFCRELASSOCIATESCLASSIFICATION, 'RelatedObjects', 'RelatingClassification'),
    ),
  };
};

/**
 * The nearest of `places` that contains it; `null` if there is none within {@link IFC_NESTING_MAX}
 * levels: a file may have cycles, and chains of all its entities.
 */
export const placeOf = <Place>(
  id: ExpressId,
  { whole }: Pick<IfcRelations, 'whole'>,
  places: ReadonlyMap<ExpressId, Place>,
): Place | null => {
  let at = whole.get(id);
  for (let level = 0; at !== undefined && level < IFC_NESTING_MAX; level += 1) {
    const place = places.get(at);
    if (place !== undefined) return place;
    at = whole.get(at);
  }
  return null;
};

/** The entities with these ids, as far as the file has them. */
export const entitiesOf = (model: IfcModel, ids: readonly ExpressId[] = []): readonly IfcEntity[] =>
  ids.flatMap((id) => model.entity(id) ?? []);

const grouped = (
  pairs: readonly (readonly [ExpressId, ExpressId])[],
): ReadonlyMap<ExpressId, readonly ExpressId[]> => {
  const groups = new Map<ExpressId, ExpressId[]>();
  for (const [from, to] of pairs) {
    const group = groups.get(from);
    if (group) group.push(to);
    else groups.set(from, [to]);
  }
  return groups;
};
