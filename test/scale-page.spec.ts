/** The tables on docs/operating/scale.md are what `node bench/simulation.ts` prints. */
import { expect, it } from 'vitest';
import { ratesTable, scaleTable, storageTable } from '../bench/support/simulation/scale-table.ts';
import { text } from './support/sources.ts';

it.each([
  ['rates', ratesTable],
  ['steps', scaleTable],
  ['disk', storageTable],
])('shows the table of %s that the simulation prints', (_, table) =>
  expect(text('docs/operating/scale.md')).toContain(table()),
);
