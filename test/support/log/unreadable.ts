import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../../src/engine/log/event-store.ts';

/** Damages a ticket: appends a note that fits no schema. */
export const addUnreadableNote = (log: EventStore, ticketId: string) =>
  log.append(`ticket-${ticketId}`, 'any', [
    {
      id: randomUUID(),
      type: 'NoteAdded',
      data: { body: 1 },
      meta: { commandId: randomUUID(), organisation: 'acme', schema: '2' },
    },
  ]);
