/** Between looking a place up and recording it, the building may be imported anew. */
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
 * Moves a ticket that was recorded at a place which an import had replaced by then, so that the
 * caller is told where it is. The process `ticket-relocation` does the same, later, where this is
 * not come to. Asked again under the same name, it does the same.
 *
 * @returns The answer as it is then; that of the command where the place is as it was.
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
    // Whatever is placed at all has its storey.
    if (storeyId === null) return answer;
    const [place] = await graph.successorsOf(buildingId, [answer.view]);
    const command = relocation(answer.view, place!, uuidFrom('relocated/note', commandId));
    if (!command) return answer;
    const moved = await tickets.give(
      id,
      { commandId: uuidFrom('relocated', commandId), command, organisation: organisationId },
      { at, by: { kind: 'system', id: 'process:ticket-relocation' }, origin: 'system' },
    );
    // The process may have come first. What else has become of it is not what this led to.
    return isMovedAlone(answer.view, moved.view) ? { ...moved, replayed: answer.replayed } : answer;
  };
