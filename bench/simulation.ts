/**
 * The tables of docs/operating/scale.md: a discrete-event simulation of Atrium from one process to
 * 100 million tickets, 50,000 points and 10,000 webhooks, from the measured unit costs in
 * support/simulation/unit-costs.ts. No server is involved; the same seed prints the same tables.
 *
 *     node bench/simulation.ts
 */
import {
  capacityTable,
  ratesTable,
  scaleTable,
  storageTable,
} from './support/simulation/scale-table.ts';

console.log([ratesTable(), scaleTable(), storageTable(), capacityTable()].join('\n\n'));
