/**
 * The users and teams to whom tickets are assigned. A loose index scan, whose cost does not depend
 * on the number of their tickets.
 */
import { PEOPLE_FOUND_MAX } from '../../../domain/people/limits.ts';
import { ASSIGNEES_FOUND_MAX, ASSIGNEES_SEARCHED_MAX } from '../limits.ts';
import type { Bind, Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';

export interface TicketAssignees {
  /** In the order of their ids. */
  readonly users: readonly string[];
  readonly teams: readonly string[];
  /** Others may match that are left out. */
  readonly more: boolean;
}

/**
 * The first {@link ASSIGNEES_FOUND_MAX} users and teams, whose names may match, and of the first
 * {@link ASSIGNEES_SEARCHED_MAX} a page of those in whose ids all words occur.
 *
 * @param words As `searchWords` folds them; `[]` finds all.
 */
export const assigneesIn = async (
  snapshot: Snapshot,
  organisation: string,
  words: readonly string[],
): Promise<TicketAssignees> => {
  const idsOf = (column: AssigneeColumn) =>
    snapshot.rows<Found>((bind) => found(column, organisation, words, bind));
  const users = await idsOf('assigned_user_id');
  const teams = await idsOf('assigned_team_id');
  return {
    users: users.map(({ id }) => id),
    teams: teams.map(({ id }) => id),
    more: [users, teams].some(isCut),
  };
};

type AssigneeColumn = 'assigned_user_id' | 'assigned_team_id';

interface Found {
  readonly id: string;
  /** From 1, among all ids. */
  readonly place: number;
}

const isCut = (rows: readonly Found[]): boolean =>
  rows.length === ROWS_MAX || (rows.at(-1)?.place ?? 0) > ASSIGNEES_SEARCHED_MAX;

/** One more than a page beyond the first ids. */
const ROWS_MAX = ASSIGNEES_FOUND_MAX + PEOPLE_FOUND_MAX + 1;

/**
 * A loose index scan: the next value greater than the last, until there is none. Only ASCII is
 * folded as the words are, so ids with other characters are left to the caller.
 */
const found = (
  column: AssigneeColumn,
  organisation: string,
  words: readonly string[],
  bind: Bind,
): string => {
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
    select id, place
    from (
      select id, row_number() over ()::integer as place
      from ids limit ${bind(ASSIGNEES_SEARCHED_MAX + 1, 'bigint')}
    ) as searched
    where place <= ${bind(ASSIGNEES_FOUND_MAX, 'integer')}
      or place > ${bind(ASSIGNEES_SEARCHED_MAX, 'integer')}
      or octet_length(id) > char_length(id)
      or not exists (
        select from unnest(${bind(words, 'text[]')}) as word
        where strpos(lower(id collate "C"), word) = 0
      )
    limit ${bind(ROWS_MAX, 'bigint')}`;
};
