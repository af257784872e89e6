/** A release in which the opening of a ticket, a note and the ticket list have changed. */
import { ticketList } from '../../../src/projections/tickets/list.ts';
import { nextRelease, type Release } from './next-release.ts';

const EVENTS = 'src/domain/tickets/events.ts';
const LIST = 'src/projections/tickets/list.ts';

/** The ticket list of that release. */
export const changedList = { name: ticketList.name, version: ticketList.version + 1 };

/**
 * - `TicketOpened` 3 has a language, which version 2 cannot represent.
 * - `NoteAdded` has one more member, which older releases drop.
 * - A migration adds a schema.
 * - `ticket-list` has a new version with the language as a column.
 */
export const releaseOfChangedTickets = (): Release =>
  nextRelease([
    { path: 'package.json', from: '"version": "0.2.0"', to: '"version": "0.3.0"' },
    {
      path: 'src/migrations/migrations.ts',
      // After the last migration.
      from: `,\n};\n`,
      to: `,
  '9999-next': async () => ({
    up: async (db) => db.schema.createSchema('next_release').execute(),
  }),\n};\n`,
    },
    {
      path: EVENTS,
      from: `    channel: z.enum(channels),\n`,
      to: `    channel: z.enum(channels),\n    language: text,\n`,
    },
    {
      path: EVENTS,
      from: `    body: text,\n    visibility: z`,
      to: `    body: text,\n    format: z.exactOptional(text),\n    visibility: z`,
    },
    {
      path: 'src/domain/tickets/opening.ts',
      from: `    type: 'TicketOpened',\n`,
      to: `    type: 'TicketOpened',\n    language: 'en',\n`,
    },
    {
      path: 'src/domain/tickets/ticket.ts',
      from: `body: note.body, visibility }`,
      to: `body: note.body, visibility, format: 'plain' }`,
    },
    {
      path: 'src/domain/tickets/codecs.ts',
      from: `codecOf<TicketEvent>(ticketEventTypes)`,
      to: `codecOf<TicketEvent>({
        ...ticketEventTypes,
        TicketOpened: {
          ...ticketEventTypes.TicketOpened,
          version: 3,
          upcasters: { 1: (data) => data, 2: (data) => ({ ...data, language: 'und' }) },
          writtenBefore: { version: 2, data: ({ language: _, ...data }) => data },
        },
      })`,
    },
    { path: LIST, from: `version: ${ticketList.version},`, to: `version: ${changedList.version},` },
    {
      path: LIST,
      from: `      reporterUserId: 'text',\n`,
      to: `      reporterUserId: 'text',\n      language: 'text',\n`,
    },
    {
      path: LIST,
      from: `{ nextDueAt: nextDueAt(view), `,
      to: `{
        nextDueAt: nextDueAt(view),
        language: recorded.event.language ?? row?.language ?? null,
        `,
    },
  ]);
