/**
 * What another configuration would have done with tickets that exist: each is opened again, without
 * recording it, as it was opened, by the configuration that is set and by the one that is tried.
 * contract.md section 5.
 */
import { isRefusal, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';
import { mapInSlices } from '../../engine/concurrency/slices.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import { refusalOf } from '../../domain/service-desk/desk.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { OpenTicket } from '../../domain/tickets/commands.ts';
import { draftAgain } from '../../domain/tickets/draft.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { simulationOf, type Simulation } from '../../domain/tickets/simulation.ts';
import { noteIdsFor } from './open-ticket.ts';

/** One ticket, by both configurations, as its create would have answered. */
export interface TriedTicket {
  readonly ticketId: string;
  readonly number: string;
  readonly title: string;
  readonly createdAt: Instant;
  readonly before: Simulation;
  readonly after: Simulation;
}

export interface TriedConfigurations {
  /** The one that is set. */
  readonly before: Configuration;
  /** The one that is tried. */
  readonly after: Configuration;
}

const TITLE_CHARACTERS_MAX = 120;

/**
 * @param ticketIds At most as many as one answer has; one that cannot be read any more is left out.
 * @returns a refusal where the tried configuration does not fit, as a PUT refuses it.
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const tryConfiguration = async (
  log: Pick<EventStore, 'readStream'>,
  ticketIds: readonly string[],
  { before, after }: TriedConfigurations,
): Promise<readonly TriedTicket[] | Refusal> => {
  // Also where there is no ticket to try it on.
  const refusal = refusalOf(after);
  if (refusal) return refusal;
  const found = await Promise.all(ticketIds.map((ticketId) => openingIn(log, ticketId)));
  const openings = found.filter((opening) => opening !== null);
  const openedBy = (configuration: Configuration) =>
    mapInSlices(openings, ({ command, recorded }) =>
      simulationOf({ ...command, ...withNotes(configuration, command) }, recorded),
    );
  const [was, is] = [await openedBy(before), await openedBy(after)];
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
  log: Pick<EventStore, 'readStream'>,
  ticketId: string,
): Promise<Opening | null> => {
  const [stored] = await log.readStream(streamOf('ticket', ticketId), { limit: 1 });
  if (!stored) return null;
  const recorded = ticketCodec.decode(stored);
  if (recorded.event.type !== 'TicketOpened') return null;
  return { command: { type: 'OpenTicket', draft: draftAgain(recorded.event) }, recorded };
};

const withNotes = (
  configuration: Configuration,
  { draft }: OpenTicket,
): Pick<OpenTicket, 'configuration' | 'noteIds'> => ({
  configuration,
  noteIds: noteIdsFor(draft.ticketId, configuration),
});

const titleOf = ({ draft }: OpenTicket) => ({
  ticketId: draft.ticketId,
  number: draft.number,
  title: draft.subject ?? draft.description.slice(0, TITLE_CHARACTERS_MAX),
});
