import { v5 as uuidFrom } from 'uuid';
import { batchedSuccessors } from '../../building/graph/batched-locations.ts';
import type { Graph } from '../../building/graph/graph.ts';
import type { BuildingLocation } from '../../domain/buildings/location.ts';
import type { BuildingEvent } from '../../domain/buildings/events.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { relocation } from '../../domain/tickets/relocation.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { RELOCATION_SHOWN_WAIT_MS } from './limits.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import type { PlacedTicket, TicketQueries } from '../../projections/tickets/query/queries.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { buildingCodec } from '../../domain/buildings/codecs.ts';
import { LogUnavailable } from '../../engine/log/event-store.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import type { Process } from '../../engine/processes/process.ts';

export interface RelocationParts {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly graph: Pick<Graph, 'successorsOf'>;
  readonly queries: Pick<TicketQueries, 'openTicketsAt'>;
  readonly models: Pick<ReadModels, 'waitFor'>;
}

/** A ticket of the building, and the present location of its place. */
export interface MovedTicket {
  readonly ticket: PlacedTicket;
  readonly place: BuildingLocation;
}

type Followed = BuildingEvent | TicketEvent;

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) =>
    categoryOf(stored.stream) === 'ticket'
      ? ticketCodec.decode(stored)
      : buildingCodec.decode(stored),
};

/**
 * After an import, nodes of a building may have new ids or parents: open tickets follow their place
 * by (sourceSystem, externalId), or lose a removed place and get a note. design.md decision 10.
 *
 * The import's fact moves the tickets recorded before it. A ticket whose place was looked up before
 * and recorded after the import moves by its own fact, at once
 * (`src/use-cases/tickets/follow-import.ts`) or, after a crash, here.
 *
 * The ticket decides against its present state, so later changes need no check here.
 */
export const ticketRelocation = (
  parts: RelocationParts,
): Process<Followed, readonly MovedTicket[], ToTicket> => {
  const { tickets, graph, queries, models } = parts;
  /** Batches the look-ups of tickets in separate partitions. */
  const gathered = batchedSuccessors(graph);

  const movedTo = async (
    buildingId: string,
    placed: readonly PlacedTicket[],
    { successorsOf }: Pick<Graph, 'successorsOf'> = graph,
  ): Promise<readonly MovedTicket[]> => {
    const places = await successorsOf(
      buildingId,
      placed.map(({ storeyId, spaceId, elementId }) => ({
        buildingId,
        storeyId,
        spaceId,
        elementId,
      })),
    );
    return placed.map((ticket, index) => ({ ticket, place: places[index]! }));
  };

  const inBuilding = async ({ event, position }: Recorded<BuildingEvent>) => {
    // The list must show every ticket that was raised before the import.
    if (!(await models.waitFor(['ticket-list'], position, RELOCATION_SHOWN_WAIT_MS))) {
      throw new LogUnavailable('the ticket list has not followed yet');
    }
    const { buildingId, organisation } = event;
    return movedTo(buildingId, await queries.openTicketsAt(organisation, buildingId));
  };

  /** Every location has a storey. */
  const itself = async (ticket: PlacedTicket, buildingId: string) =>
    ticket.storeyId === null ? [] : movedTo(buildingId, [ticket], gathered);

  const placedNow = async (id: string) => {
    const ticket = await tickets.look(id);
    return ticket === null ? [] : itself(ticket.view, ticket.view.buildingId);
  };

  const relocated = (
    { id: causeId }: Recorded,
    movedTickets: readonly MovedTicket[],
  ): readonly ToTicket[] =>
    movedTickets.flatMap(({ ticket, place }) => {
      const { id } = ticket;
      const command = relocation(ticket, place, uuidFrom(id, causeId));
      return command ? [{ kind: 'ticket' as const, id, command }] : [];
    });

  return {
    name: 'ticket-relocation',
    categories: ['building', 'ticket'],
    codec,
    gather: async (recorded) => {
      const { event, stream } = recorded;
      if (event.type === 'BuildingImported') return inBuilding({ ...recorded, event });
      if (event.type === 'TicketOpened')
        return itself({ ...event, id: event.ticketId }, event.buildingId);
      return isPlaced(event) ? placedNow(keyOf(stream)) : [];
    },
    on: {
      BuildingImported: relocated,
      TicketOpened: relocated,
      TicketEdited: relocated,
      TicketRelocated: relocated,
    },
    hasIndependentEffects: true,
    effects: { ticket: commandsTo(tickets) },
  };
};

/**
 * Moved tickets are checked again, too: the new place may have been looked up before another
 * import, and recorded after that import had found the ticket at its old place.
 */
const isPlaced = (event: TicketEvent): boolean =>
  event.type === 'TicketRelocated' ||
  (event.type === 'TicketEdited' && event.changes.location !== undefined);

interface ToTicket extends CommandEffect<TicketCommand> {
  readonly kind: 'ticket';
}
