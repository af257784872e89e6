import { expect, it } from 'vitest';
import { edges as shown } from '../packages/portal/src/pages/tickets/edges.ts';
import { edges } from '../src/domain/tickets/graph.ts';

it('the portal offers the edges of the graph of ticket states, in its order', () => {
  expect(Object.entries(shown)).toEqual(Object.entries(edges));
});
