/**
 * The users and teams to whom tickets are assigned. A loose index scan, whose cost does not depend
 * on the number of their tickets.
 */
import { ASSIGNEES_FOUND_MAX } from '../limits.ts';
import type { Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';

export interface TicketAssignees {
  /** In the order of their ids; at most {@link ASSIGNEES_FOUND_MAX}, as `teams`. */
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export const assigneesIn = async (
  snapshot: Snapshot,
  organisation: string,
): Promise<TicketAssignees> => ({
  users: await distinct(snapshot, organisation, 'assigned_user_id'),
  teams: await distinct(snapshot, organisation, 'assigned_team_id'),
});

/** A loose index scan: the next value greater than the last, until there is none. */
const distinct = async (
  snapshot: Snapshot,
  organisation: string,
  column: 'assigned_user_id' | 'assigned_team_id',
): Promise<readonly string[]> => {
  const rows = await snapshot.rows<{ id: string }>((bind) => {
    const owner = bind(organisation, 'text');
    const first = (after: string) => `
      select ${column} as id from ${LIST}
      where organisation_id = ${owner} and ${column} is not null ${after}
      order by ${column} limit 1`;
    return `
      with recursive ids as (
        (${first('')})
        union all
        select following.id from ids, lateral (${first(`and ${column} > ids.id`)}) as following
      )
      select id from ids limit ${bind(ASSIGNEES_FOUND_MAX, 'bigint')}`;
  });
  return rows.map(({ id }) => id);
};
