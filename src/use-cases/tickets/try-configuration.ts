/**
 * Simulates a configuration on existing tickets: each is opened again with its original input, as
 * far as it may still be shown, without recording it, by the current configuration and by the tried
 * one. contract.md section 5.
 */
import { isRefusal, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import { mapInSlices } from '../../engine/concurrency/slices.ts';
import { decodeReadable, type Recorded } from '../../engine/log/codec.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import { withAliases } from '../../domain/service-desk/location-references.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { OpenTicket } from '../../domain/tickets/commands.ts';
import { draftAgain } from '../../domain/tickets/draft.ts';
import { asExpired } from '../../domain/tickets/expiry.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { simulatorsOf, type Simulation, type Simulator } from '../../domain/tickets/simulation.ts';
import type { Graph } from '../../building/graph/graph.ts';
import { placeAliases } from '../service-desk/place-aliases.ts';
import { noteIdsFor } from './open-ticket.ts';

/** A ticket as its create would have been answered under both configurations. */
export interface TriedTicket {
  readonly ticketId: string;
  readonly number: string;
  readonly title: string;
  readonly createdAt: Instant;
  readonly before: Simulation;
  readonly after: Simulation;
}

export interface TriedConfigurations {
  /** The current one. */
  readonly before: Configuration;
  /** The one that is tried. */
  readonly after: Configuration;
}

export interface TryConfigurationParts {
  readonly graph: Pick<Graph, 'aliasesOf' | 'successorsOf'>;
  readonly log: Pick<EventStore, 'readStream'>;
  /** The revision of the last expiry of the ticket at or after its event; -1: none. */
  readonly lastExpiryAfter: (event: StoredEvent) => Promise<number>;
}

const TITLE_CHARACTERS_MAX = 120;

/**
 * Compares the locations of tickets and configurations as they are after all imports.
 *
 * @param ticketIds At most as many as one response holds; unreadable tickets are left out.
 * @returns A refusal if the tried configuration is invalid, as for a PUT.
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const tryConfiguration = async (
  parts: TryConfigurationParts,
  organisation: string,
  ticketIds: readonly string[],
  given: TriedConfigurations,
): Promise<readonly TriedTicket[] | Refusal> => {
  const found = await Promise.all(ticketIds.map((ticketId) => openingIn(parts, ticketId)));
  const openings = found.filter((opening) => opening !== null);
  const locations = openings.map(({ command }) => command.draft);
  const stated = [given.before, given.after] as const;
  const aliases = await placeAliases(parts.graph, organisation, locations, stated);
  const before = withAliases(given.before, aliases);
  const after = withAliases(given.after, aliases);
  const [simulateBefore, simulateAfter] = simulatorsOf([before, after], stated);
  // Also without a ticket to try it on.
  if (isRefusal(simulateAfter)) return simulateAfter;
  if (isRefusal(simulateBefore)) return [];
  const openedBy = (simulate: Simulator, configuration: Configuration) =>
    mapInSlices(openings, ({ command, recorded }) => {
      const noteIds = noteIdsFor(command.draft.ticketId, configuration);
      return simulate({ ...command, noteIds }, recorded);
    });
  const was = await openedBy(simulateBefore, before);
  const is = await openedBy(simulateAfter, after);
  return openings.flatMap(({ command, recorded }, at) => {
    const [by, next] = [was[at]!, is[at]!];
    if (isRefusal(by) || isRefusal(next)) return [];
    return [{ ...titleOf(command), createdAt: recorded.at, before: by, after: next }];
  });
};

interface Opening {
  readonly command: OpenTicket;
  readonly recorded: Recorded<TicketEvent>;
}

const openingIn = async (
  { graph, log, lastExpiryAfter }: TryConfigurationParts,
  ticketId: string,
): Promise<Opening | null> => {
  const [stored] = await log.readStream(streamOf('ticket', ticketId), { limit: 1 });
  if (!stored) return null;
  const isExpired = (await lastExpiryAfter(stored)) >= 0;
  const decoded = decodeReadable(ticketCodec, stored);
  if (decoded === null) return null;
  const recorded = isExpired ? asExpired(decoded) : decoded;
  if (recorded.event.type !== 'TicketOpened') return null;
  const draft = draftAgain(recorded.event);
  const [location] = await graph.successorsOf(draft.buildingId, [draft]);
  return { command: { type: 'OpenTicket', draft: { ...draft, ...location } }, recorded };
};

const titleOf = ({ draft }: OpenTicket) => ({
  ticketId: draft.ticketId,
  number: draft.number,
  title: draft.subject ?? draft.description.slice(0, TITLE_CHARACTERS_MAX).toWellFormed(),
});
