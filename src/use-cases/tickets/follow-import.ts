/** Corrects the location of a ticket if its building was imported while it was recorded. */
import { v5 as uuidFrom } from 'uuid';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { isMovedAlone, relocation } from '../../domain/tickets/relocation.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Graph } from '../../building/graph/graph.ts';
import type { Aggregate, Answer } from '../../engine/aggregates/aggregate.ts';

export interface FollowImportParts {
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>;
  readonly graph: Pick<Graph, 'successorsOf'>;
}

/**
 * Moves a ticket that was recorded at a location which an import had replaced, so that the answer
 * has its new one. The process `ticket-relocation` does the same later if this does not happen.
 * Idempotent under the same name.
 *
 * @returns The answer after the move; the command's own if the location is unchanged.
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const followImport =
  ({ tickets, graph }: FollowImportParts) =>
  async (
    answer: Answer<TicketView>,
    { at }: Pick<Occasion, 'at'>,
    commandId: string,
  ): Promise<Answer<TicketView>> => {
    const { id, organisationId, buildingId, storeyId } = answer.view;
    // Every location has a storey.
    if (storeyId === null) return answer;
    const [place] = await graph.successorsOf(buildingId, [answer.view]);
    const command = relocation(answer.view, place!, uuidFrom('relocated/note', commandId));
    if (!command) return answer;
    const relocated = await tickets.give(
      id,
      { commandId: uuidFrom('relocated', commandId), command, organisation: organisationId },
      { at, by: { kind: 'system', id: 'process:ticket-relocation' }, origin: 'system' },
    );
    // The process may have moved it first. Other changes of the ticket do not belong to this
    // answer.
    return isMovedAlone(answer.view, relocated.view)
      ? { ...relocated, replayed: answer.replayed }
      : answer;
  };
