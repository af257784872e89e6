import type { TicketView } from '../../../domain/tickets/view.ts';
import type { Snapshot } from '../../snapshot.ts';
import { viewOfStored, type StoredTicket } from '../list.ts';
import { LIST } from './tables.ts';

/** The tickets of these ids that are listed, in the order of the ids. */
export const itemsOf = async (
  snapshot: Snapshot,
  ids: readonly string[],
): Promise<readonly TicketView[]> => {
  if (ids.length === 0) return [];
  const rows = await snapshot.rows<StoredTicket>(
    (bind) => `select ticket, sla_first_response_ended_at as "slaFirstResponseEndedAt",
        sla_pauses as "slaPauses", work_order_links as "workOrderLinks"
      from ${LIST} where id = any(${bind(ids, 'uuid[]')})`,
  );
  const views = new Map(rows.map(viewOfStored).map((view) => [view.id, view]));
  return ids.map((id) => views.get(id)).filter((view) => view !== undefined);
};

/** The same as the API prints them. */
export const printedItemsOf = async (
  snapshot: Snapshot,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const rows = await snapshot.rows<{ id: string; ticket: string }>(
    (bind) => `select id, ticket from ${LIST} where id = any(${bind(ids, 'uuid[]')})`,
  );
  const printed = new Map(rows.map(({ id, ticket }) => [id, ticket]));
  return ids.flatMap((id) => printed.get(id) ?? []);
};
