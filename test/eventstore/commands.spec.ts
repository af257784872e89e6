/** The aggregate runner on a log that does not detect every repeat. */
import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { noon } from '../support/domain/specify.ts';
import { draft } from '../support/domain/tickets.ts';
import { ticketRepository } from '../../src/use-cases/tickets/tickets.ts';

const url = inject('eventstoreUrl');

describe('one command given to two processes concurrently under one id', () => {
  it('is one ticket, and both answer with the one that is stored', async () => {
    const logs = [eventstoreDbStore({ url }), eventstoreDbStore({ url })];
    const processes = logs.map((log) => ticketRepository(log));
    for (let round = 0; round < 5; round += 1) {
      const ticketId = randomUUID();
      const commandId = randomUUID();
      const answers = await Promise.all(
        processes.map((process, index) =>
          process.give(
            ticketId,
            {
              commandId,
              bodyHash: 'same',
              command: {
                type: 'OpenTicket',
                draft: { ...draft, ticketId, number: `SR-${index}` },
              },
            },
            { ...noon, origin: 'api' },
          ),
        ),
      );
      const [stored] = await logs[0]!.readStream(`ticket-${ticketId}`);
      const { number } = stored!.data as { number: string };
      expect(answers.map(({ view }) => view.number)).toEqual([number, number]);
      for (const process of processes) {
        expect((await process.look(ticketId))?.view.number).toBe(number);
      }
    }
    await Promise.all(logs.map((log) => log.close()));
  });
});
