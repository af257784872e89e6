/**
 * The type of an element, to be joined by queries of other read models. No projection reads it.
 */
export const elementTypes = {
  table: 'graph.element',
  id: 'id',
  type: 'element_type_slug',
} as const;
