import { v5 as uuidFrom } from 'uuid';
import type { Graph } from '../graph/graph.ts';
import { systemAuthority } from '../domain/authority.ts';
import type { BuildingLocation } from '../domain/building/location.ts';
import type { BuildingEvent } from '../domain/building/events.ts';
import type { TicketCommand } from '../domain/ticket/commands.ts';
import type { TicketView } from '../domain/ticket/view.ts';
import { RELOCATION_SHOWN_WAIT_MS } from '../limits.ts';
import type { ReadModels } from '../projections/read-models.ts';
import type { PlacedTicket, TicketQueries } from '../projections/tickets/query/queries.ts';
import type { Aggregate } from '../store/aggregate.ts';
import { buildingCodec } from '../graph/outbox-relay.ts';
import { LogUnavailable } from '../store/event-store.ts';
import { commandsTo, type CommandEffect } from './effects.ts';
import type { Process } from './process.ts';

export interface RelocationParts {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly graph: Pick<Graph, 'successorsOf'>;
  readonly queries: Pick<TicketQueries, 'openTicketsAt'>;
  readonly models: Pick<ReadModels, 'waitFor'>;
}

/** A ticket that lies in the building, and where its place is by now. */
export interface Moved {
  readonly ticket: PlacedTicket;
  readonly place: BuildingLocation;
}

/**
 * After an import, nodes of a building may have new ids or stand elsewhere in it: open tickets
 * follow to the same place by (sourceSystem, externalId), or lose a place that is gone and get a
 * note of it. design.md decision 10.
 *
 * Nothing here checks what became of a ticket meanwhile: it decides, and stays where it was moved.
 */
export const ticketRelocation = ({
  tickets,
  graph,
  queries,
  models,
}: RelocationParts): Process<BuildingEvent, readonly Moved[], ToTicket> => ({
  name: 'ticket-relocation',
  categories: ['building'],
  codec: buildingCodec,
  gather: async ({ event, position }) => {
    // The list must show every ticket that was raised before the import.
    if (!(await models.waitFor(['ticket-list'], position, RELOCATION_SHOWN_WAIT_MS))) {
      throw new LogUnavailable('the ticket list has not followed yet');
    }
    const { buildingId, organisation } = event;
    const open = await queries.openTicketsAt(organisation, buildingId);
    const places = await graph.successorsOf(
      buildingId,
      open.map(({ storeyId, spaceId, elementId }) => ({
        buildingId,
        storeyId,
        spaceId,
        elementId,
      })),
    );
    return open.map((ticket, index) => ({ ticket, place: places[index]! }));
  },
  on: {
    BuildingImported: ({ id: causeId }, moved) =>
      moved.filter(hasMoved).map(({ ticket, place }) => {
        const { id, ...from } = ticket;
        const { buildingId: _, ...to } = place;
        const command: TicketCommand = {
          type: 'RelocateTicket',
          authority: systemAuthority,
          from,
          to,
          ...(isCoarser(from, to)
            ? { note: { noteId: uuidFrom(id, causeId), body: lostNote(to) } }
            : {}),
        };
        return { kind: 'ticket', id, command };
      }),
  },
  effects: { ticket: commandsTo(tickets) },
});

interface ToTicket extends CommandEffect<TicketCommand> {
  readonly kind: 'ticket';
}

type Location = Omit<BuildingLocation, 'buildingId'>;

const members = ['storeyId', 'spaceId', 'elementId'] as const;

const hasMoved = ({ ticket, place }: Moved): boolean =>
  members.some((member) => ticket[member] !== place[member]);

const isCoarser = (from: Location, to: Location): boolean =>
  members.some((member) => from[member] !== null && to[member] === null);

const lostNote = (to: Location): string =>
  members.every((member) => to[member] === null)
    ? 'The building was imported anew. The place of this ticket is gone; it has none now.'
    : 'The building was imported anew. A part of the place of this ticket is gone.';
