/** The form of a ticket, with its look-ups in the building graph. contract.md section 5. */
import type { Graph } from '../../building/graph/graph.ts';
import { requestTypeOf, type WithRequestTypes } from '../../domain/service-desk/request-types.ts';
import { spacesNamedIn, type TicketForm } from '../../domain/tickets/form.ts';
import type { FreeForm } from '../../domain/tickets/free-form.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';

/** The ticket whose `formData` a command gives. */
export interface FormToFill {
  readonly organisation: string;
  readonly buildingId: string;
  readonly requestType: string;
  /** As sent. */
  readonly formData: FreeForm;
}

/** `{}` for a request type without an entry. */
export const formFor = async (
  graph: Pick<Graph, 'resolveLocation'>,
  configuration: WithRequestTypes,
  { organisation, buildingId, requestType: slug, formData }: FormToFill,
): Promise<{ readonly form?: TicketForm }> => {
  const requestType = requestTypeOf(configuration, slug);
  if (!requestType) return {};
  const spaceIds = await Promise.all(
    spacesNamedIn(requestType, formData).map(async (spaceId) => {
      const found = await graph.resolveLocation(organisation, { buildingId, spaceId });
      return isRefusal(found) ? [] : [spaceId];
    }),
  );
  return { form: { requestType, spaceIds: new Set(spaceIds.flat()) } };
};
