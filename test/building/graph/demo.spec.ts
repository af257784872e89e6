import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../../src/demo/load.ts';
import { freshGraph, noon, type TestGraph } from '../../support/postgres/building-graph.ts';

let test: TestGraph;
beforeAll(async () => {
  test = await freshGraph();
});
afterAll(async () => {
  await test.close();
});

describe('the demo', () => {
  it('exists once, also after repeated and concurrent loads', async () => {
    const loads = await Promise.all([1, 2, 3].map(() => loadDemo(test.graph, noon.at)));
    loads.push(await loadDemo(test.graph, noon.at));
    expect(loads.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await test.graph.buildings('acme', { limit: 10, offset: 0 })).total).toBe(1);
  });
});
