/** From the body of a create to the command that opens the ticket. contract.md section 5. */
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import type { Graph } from '../../graph/graph.ts';
import { isRefusal } from '../../domain/decider.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import type { OpenTicket } from '../../domain/ticket/commands.ts';
import { notesMaxOf } from '../../domain/ticket/opening.ts';
import { Refused } from '../../store/aggregate.ts';
import type { CreateTicketBody } from './schemas.ts';

type Created = z.output<typeof CreateTicketBody>;

/** What a create asks of the rest of the platform. */
export interface Asked {
  readonly graph: Pick<Graph, 'placeOf'>;
  /** As the log has it at this moment. */
  readonly configuration: () => Promise<Configuration>;
  /** Called last: what cannot be opened draws no number. */
  readonly number: () => Promise<string>;
}

/** @throws {@link Refused} for a place that there is not, or that contradicts itself. */
export const openTicketOf = async (
  { ticketId, commandId, organisation }: Names,
  body: Created,
  asked: Asked,
): Promise<OpenTicket> => {
  const [place, configuration] = await Promise.all([
    asked.graph.placeOf(organisation, body),
    asked.configuration(),
  ]);
  if (isRefusal(place)) throw new Refused(place);
  const number = await asked.number();
  return {
    type: 'OpenTicket',
    draft: { ticketId, number, organisation, ...detailsOf(body), ...place },
    configuration,
    noteIds: noteIdsOf(commandId, notesMaxOf(configuration)),
  };
};

interface Names {
  readonly ticketId: string;
  readonly commandId: string;
  readonly organisation: string;
}

/** The same command always names its notes the same. */
const noteIdsOf = (commandId: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => uuidFrom(`note/${index}`, commandId));

/** What a caller leaves out is `null` in the ticket. */
const detailsOf = ({ storeyId: _s, spaceId: _p, elementId: _e, ...body }: Created) => ({
  ...body,
  subject: body.subject ?? null,
  category: body.category ?? null,
  reporterName: body.reporterName ?? null,
  reporterEmail: body.reporterEmail ?? null,
  reporterPhone: body.reporterPhone ?? null,
});
