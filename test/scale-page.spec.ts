/** The tables on docs/operating/scale.md equal the output of `node bench/simulation.ts`. */
import { expect, it } from 'vitest';
import {
  capacities,
  capacityTable,
  ratesTable,
  scaleTable,
  storageTable,
} from '../bench/support/simulation/scale-table.ts';
import { text } from './support/sources.ts';

it.each([
  ['rates', ratesTable],
  ['steps', scaleTable],
  ['disk', storageTable],
  ['the most a second', capacityTable],
])('shows the table of %s that the simulation prints', (_, table) =>
  expect(text('docs/operating/scale.md')).toContain(table()),
);

it.each(capacities())('predicts the most $kind a second within 20 %', ({ predicted, measured }) =>
  expect(Math.abs(predicted / measured - 1)).toBeLessThan(0.2),
);
