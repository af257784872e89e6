/**
 * Where queries of other read models find the type of an element. Such a query joins it when it is
 * asked; no projection reads it.
 */
export const elementTypes = {
  table: 'graph.element',
  id: 'id',
  type: 'element_type_slug',
} as const;
