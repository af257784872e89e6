import type { TicketView } from '../../../domain/tickets/view.ts';
import { snake } from '../../../engine/projections/projection.ts';
import { ticketList, viewOfRow, type TicketListRow } from '../list.ts';
import type { Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';

/** The tickets of these ids that are listed, in the order of the ids. */
export const itemsOf = async (
  snapshot: Snapshot,
  ids: readonly string[],
): Promise<readonly TicketView[]> => {
  if (ids.length === 0) return [];
  const rows = await snapshot.rows<TicketListRow>(
    (bind) => `select ${COLUMNS} from ${LIST} where id = any(${bind(ids, 'uuid[]')})`,
  );
  const views = new Map(rows.map((row) => [row.id, viewOfRow(row)]));
  return ids.map((id) => views.get(id)).filter((view) => view !== undefined);
};

const COLUMNS = Object.keys(ticketList.table.columns)
  .map((member) => `${snake(member)} as "${member}"`)
  .join(', ');
