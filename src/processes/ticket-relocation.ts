import { v5 as uuidFrom } from 'uuid';
import type { Graph } from '../graph/graph.ts';
import type { BuildingLocation } from '../domain/building/location.ts';
import type { BuildingEvent } from '../domain/building/events.ts';
import type { TicketCommand } from '../domain/ticket/commands.ts';
import { relocation } from '../domain/ticket/relocation.ts';
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
      moved.flatMap(({ ticket, place }) => {
        const { id } = ticket;
        const command = relocation(ticket, place, uuidFrom(id, causeId));
        return command ? [{ kind: 'ticket' as const, id, command }] : [];
      }),
  },
  effects: { ticket: commandsTo(tickets) },
});

interface ToTicket extends CommandEffect<TicketCommand> {
  readonly kind: 'ticket';
}
