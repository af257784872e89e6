/**
 * Former ids of places, and the ids of the places that an import has put in their place, to be
 * joined by queries of other read models. No projection reads it.
 */
export const successors = {
  table: 'graph.successor',
  id: 'id',
  successor: 'successor_id',
} as const;
