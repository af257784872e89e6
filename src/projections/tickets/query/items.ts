import type { TicketView } from '../../../domain/tickets/view.ts';
import { snake } from '../../../engine/projections/projection.ts';
import { ticketList, viewOfRow, type TicketListRow } from '../list.ts';
import type { Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';

/** The tickets of these ids in list order or, `asc`, oldest first. */
export const itemsOf = async (
  snapshot: Snapshot,
  ids: readonly string[],
  direction: 'asc' | 'desc' = 'desc',
): Promise<readonly TicketView[]> => {
  if (ids.length === 0) return [];
  const rows = await snapshot.rows<TicketListRow>(
    (bind) => `select ${COLUMNS} from ${LIST} where id = any(${bind(ids, 'uuid[]')})
      order by created_at ${direction}, id ${direction}`,
  );
  return rows.map(viewOfRow);
};

const COLUMNS = Object.keys(ticketList.table.columns)
  .map((member) => `${snake(member)} as "${member}"`)
  .join(', ');
