/** Folds tickets whose rows do not fit into the heap of this process: see fold-all.spec.ts. */
import { foldAll } from '../../../../src/engine/projections/rebuild/fold-all.ts';
import type { Batch } from '../../../../src/engine/log/event-store.ts';
import { ticketList } from '../../../../src/projections/tickets/list.ts';
import { openedPlainly } from '../../../projections/tickets/ticket-histories.ts';
import { storedOf } from '../../../projections/tickets/ticket-tables.ts';

const TICKETS = Number(process.argv[2]);
const AT_ONCE = 1_000;

async function* batches(): AsyncGenerator<Batch> {
  for (let upTo = AT_ONCE; upTo <= TICKETS; upTo += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, at) => upTo - at);
    const events = numbers.flatMap((n) => {
      const id = `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
      return storedOf([openedPlainly('2026-02-01T09:00:00.000Z', id, `SR-${n}`)]);
    });
    yield { events, upTo: String(upTo), caughtUp: false };
  }
}

let stored = 0;
const { rows } = await foldAll(ticketList, batches(), {
  rowsMax: Infinity,
  overflow: {
    store: async (all) => {
      stored += all.size;
    },
    load: async () => new Map(),
  },
  passedOver: new Set(),
  onProgress: () => {},
});
console.log(stored + rows.size);
