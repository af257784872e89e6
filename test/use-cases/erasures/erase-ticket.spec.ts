/** contract.md section 11: the erasure of one ticket, and concurrent commands. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { TicketCommand } from '../../../src/domain/tickets/commands.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { eraseTicket } from '../../../src/use-cases/erasures/erase-ticket.ts';
import { noon } from '../../support/domain/specify.ts';
import { acme, draft } from '../../support/domain/tickets.ts';
import { ticketRepository } from '../../../src/use-cases/tickets/tickets.ts';

const { ticketId, organisation } = draft;
const person = { erasureId: randomUUID(), organisation, keys: new Set<string>(), requests: 1 };

it('leaves a text that is written while the ticket is erased', async () => {
  const stored = memoryEventStore();
  // As opened after the keys of the reporter were destroyed.
  const log = logWith(stored, {
    readStream: async (...call) =>
      (await stored.readStream(...call)).map((event) =>
        event.type === 'TicketOpened'
          ? { ...event, meta: { ...event.meta, erased: 'identity,texts' } }
          : event,
      ),
  });
  let isRaced = false;
  const tickets = ticketRepository(
    logWith(log, {
      async append(stream, expected, events, options) {
        if (events[0]!.type === 'TicketPersonalDataErased' && !isRaced) {
          isRaced = true;
          await give({
            type: 'EditTicket',
            authority: acme,
            patch: { description: 'Neutral', metadata: { externalId: 'WO-1' } },
          });
        }
        return log.append(stream, expected, events, options);
      },
    }),
  );
  const give = (command: TicketCommand) =>
    tickets.give(ticketId, { commandId: randomUUID(), organisation, command }, noon);
  await give({ type: 'OpenTicket', draft: { ...draft, subject: 'Mine', description: 'Mine' } });
  const occasion = { ...noon, id: randomUUID() };
  await eraseTicket({ log, tickets }, ticketId, person, occasion);
  expect(isRaced).toBe(true);
  expect((await tickets.look(ticketId))!.view).toMatchObject({
    subject: null,
    description: 'Neutral',
    metadata: { externalId: 'WO-1' },
  });
});

it('records what another attempt has erased since, and nothing twice', async () => {
  const stored = memoryEventStore();
  let isNoteErased = false;
  // As opened after keys were destroyed.
  const log = logWith(stored, {
    readStream: async (...call) =>
      (await stored.readStream(...call)).map((event) =>
        event.type === 'TicketOpened' || (event.type === 'NoteAdded' && isNoteErased)
          ? { ...event, meta: { ...event.meta, erased: 'texts' } }
          : event,
      ),
  });
  const tickets = ticketRepository(log);
  const give = (command: TicketCommand) =>
    tickets.give(ticketId, { commandId: randomUUID(), organisation, command }, noon);
  await give({ type: 'OpenTicket', draft });
  const occasion = { ...noon, id: randomUUID() };
  const attempt = (requests: number) =>
    eraseTicket({ log, tickets }, ticketId, { ...person, requests }, occasion);
  await attempt(1);
  const noteId = randomUUID();
  await give({ type: 'AddNote', authority: acme, noteId, body: 'Called', visibility: 'internal' });
  isNoteErased = true;
  const erasures = async () =>
    (await stored.readStream(`ticket-${ticketId}`)).filter(
      ({ type }) => type === 'TicketPersonalDataErased',
    );
  const before = (await erasures()).length;
  for (const requests of [2, 2]) await attempt(requests);
  const after = await erasures();
  expect(after).toHaveLength(before + 1);
  expect(after.at(-1)!.data).toMatchObject({ notes: [noteId] });
});
