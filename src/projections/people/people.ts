/** The people and teams of organisations, as callers search them. contract.md section 5. */
import {
  hasUser,
  missingPeople,
  unknownAssignees,
  usersNamedIn,
  type Assignees,
  type NamingPeople,
} from '../../domain/people/directory.ts';
import { PEOPLE_FOUND_MAX } from '../../domain/people/limits.ts';
import { findPeople, searchWords, type FoundPeople } from '../../domain/people/people.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import type { TicketQueries } from '../tickets/query/queries.ts';
import type { SignIns } from './sign-ins.ts';

export interface People {
  /**
   * People in the directory, people who have signed in, and assignees of tickets.
   *
   * @param search Words that must all occur in a name, id or address; white space alone finds all.
   * @throws `LogUnavailable`, and errors of the database.
   */
  find(organisation: string, search: string): Promise<FoundPeople>;
  /** Warnings about people in a configuration who do not exist. Throws as `find`. */
  missingIn(organisation: string, configuration: NamingPeople): Promise<readonly string[]>;
  /** Warnings about assignees who do not exist; `[]` without a directory. Throws as `find`. */
  unknownAmong(organisation: string, assignees: Assignees): Promise<readonly string[]>;
}

export interface PeopleParts {
  readonly tickets: Pick<TicketQueries, 'assignees'>;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly signIns: Pick<SignIns, 'search' | 'among'>;
}

export const peopleOf = ({ tickets, desks, signIns }: PeopleParts): People => ({
  async find(organisation, search) {
    const words = searchWords(search);
    const [{ directory }, found, assigned] = await Promise.all([
      desks.configurationOf(organisation),
      // One more than the page, to detect that there are more.
      signIns.search(organisation, words, PEOPLE_FOUND_MAX + 1),
      tickets.assignees(organisation, words),
    ]);
    const named = await signIns.among(organisation, assigned.users);
    const people = findPeople(
      {
        directory,
        signedIn: new Map([...found, ...named]),
        assignedUsers: assigned.users,
        assignedTeams: assigned.teams,
      },
      words,
    );
    return { ...people, more: people.more || assigned.more };
  },

  async missingIn(organisation, configuration) {
    const signedIn = await signIns.among(organisation, usersNamedIn(configuration));
    return missingPeople(configuration, new Set(signedIn.keys()));
  },

  async unknownAmong(organisation, assignees) {
    const { assignedUserId, assignedTeamId } = assignees;
    if (!assignedUserId && !assignedTeamId) return [];
    const { directory } = await desks.configurationOf(organisation);
    if (!directory) return [];
    const isListed = !assignedUserId || hasUser(directory, assignedUserId);
    const signedIn = isListed ? null : await signIns.among(organisation, [assignedUserId]);
    return unknownAssignees(directory, assignees, (signedIn?.size ?? 0) > 0);
  },
});
