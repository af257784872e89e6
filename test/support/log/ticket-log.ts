/** Tickets in a log, written like their aggregate: one append per command. */
import { randomUUID } from 'node:crypto';
import { v5 as uuidFrom } from 'uuid';
import type { Occasion } from '../../../src/engine/aggregates/decider.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { afterNoon, noon } from '../domain/specify.ts';
import { opened } from '../domain/tickets.ts';

export interface TicketLog {
  /** Opens a ticket of the organisation. @returns Its id. */
  open(organisation?: string, facts?: readonly TicketEvent[]): Promise<string>;
  /** Records `facts` as one command. */
  command(id: string, facts: readonly TicketEvent[], over?: Partial<Occasion>): Promise<void>;
  /** Appends an event as it is. */
  raw(id: string, event: Pick<NewEvent, 'type' | 'data'>): Promise<void>;
}

export const ticketLog = (log: EventStore): TicketLog => {
  const revisions = new Map<string, number>();

  const append = async (id: string, events: readonly NewEvent[]) => {
    const revision = revisions.get(id) ?? -1;
    const expected = revision < 0 ? 'no_stream' : revision;
    await log.append(streamOf('ticket', id), expected, events);
    revisions.set(id, revision + events.length);
  };
  const record = (id: string, over: Partial<Occasion> = {}) => ({
    ...noon,
    ...afterNoon((revisions.get(id) ?? -1) + 1),
    commandId: randomUUID(),
    ...over,
  });
  const command: TicketLog['command'] = (id, facts, over) => {
    const meta = record(id, over);
    const named = (index: number) => uuidFrom(`${id}/${index}`, meta.commandId);
    return append(
      id,
      facts.map((fact, index) => ticketCodec.encode(named(index), fact, meta)),
    );
  };

  return {
    command,
    async open(organisation = 'acme', facts = []) {
      const id = randomUUID();
      await command(id, [opened({ ticketId: id, organisation }), ...facts]);
      return id;
    },
    raw: (id, event) =>
      append(id, [
        {
          id: randomUUID(),
          ...event,
          meta: { commandId: randomUUID(), at: '2026-03-02T13:00:00.000Z', by: 'user:ana' },
        },
      ]),
  };
};
