/** The people and teams of an organisation, from all sources. contract.md section 5. */
import { compareText } from '../compare-text.ts';
import { foldText } from '../fold-text.ts';
import type { Directory } from './directory.ts';
import { PEOPLE_FOUND_MAX } from './limits.ts';

export interface Person {
  readonly userId: string;
  /** From the directory, else from the last sign-in, else the id. */
  readonly name: string;
  /** Ids of the directory's teams with this member. */
  readonly teams: readonly string[];
}

export interface Team {
  readonly teamId: string;
  readonly name: string;
  /** User ids; none for a team that is only assigned. */
  readonly members: readonly string[];
}

/** Sources of people, each optional for each person. */
export interface KnownPeople {
  readonly directory: Directory | undefined;
  /** By user id; `null`: the issuer gave no name. */
  readonly signedIn: ReadonlyMap<string, string | null>;
  readonly assignedUsers: readonly string[];
  readonly assignedTeams: readonly string[];
}

export interface FoundPeople {
  /** By name, then by id; at most {@link PEOPLE_FOUND_MAX}. */
  readonly items: readonly Person[];
  /** As `items`. */
  readonly teams: readonly Team[];
  /** More people or teams match than are listed. */
  readonly more: boolean;
}

/** The folded words of a search; `[]` for white space alone. */
export const searchWords = (search: string): readonly string[] =>
  foldText(search).split(/\s+/u).filter(Boolean);

/** The text in which the words of a search are found. */
export const searchedText = (...texts: readonly (string | null | undefined)[]): string =>
  texts.map((text) => foldText(text ?? '')).join('\n');

/**
 * The people and teams in whose name, id or e-mail address every word occurs as a substring.
 *
 * @param words {@link searchWords}; `[]` finds all.
 */
export const findPeople = (sources: KnownPeople, words: readonly string[]): FoundPeople => {
  const { directory, signedIn } = sources;
  const listed = new Map(directory?.users.map((user) => [user.userId, user]));
  const people = [
    ...new Set([...listed.keys(), ...signedIn.keys(), ...sources.assignedUsers]),
  ].flatMap((userId) => {
    const user = listed.get(userId);
    const signInName = signedIn.get(userId);
    return hasWords(searchedText(userId, user?.name, user?.email, signInName), words)
      ? [{ userId, name: user?.name ?? signInName ?? userId }]
      : [];
  });
  const inDirectory = new Map(directory?.teams.map((team) => [team.teamId, team]));
  const teams = [...new Set([...inDirectory.keys(), ...sources.assignedTeams])].flatMap(
    (teamId) => {
      const { name = teamId, members = [], email } = inDirectory.get(teamId) ?? {};
      return hasWords(searchedText(teamId, name, email), words) ? [{ teamId, name, members }] : [];
    },
  );
  const teamsOf = teamsByMember(directory);
  return {
    items: firstByName(people, ({ userId }) => userId).map((person) => ({
      ...person,
      teams: teamsOf.get(person.userId) ?? [],
    })),
    teams: firstByName(teams, ({ teamId }) => teamId),
    more: people.length > PEOPLE_FOUND_MAX || teams.length > PEOPLE_FOUND_MAX,
  };
};

const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

const teamsByMember = (directory: Directory | undefined): ReadonlyMap<string, string[]> => {
  const teamsOf = new Map<string, string[]>();
  for (const { teamId, members } of directory?.teams ?? [])
    for (const userId of members) {
      const teams = teamsOf.get(userId);
      if (teams) teams.push(teamId);
      else teamsOf.set(userId, [teamId]);
    }
  return teamsOf;
};

const firstByName = <Named extends { readonly name: string }>(
  all: readonly Named[],
  idOf: (one: Named) => string,
): readonly Named[] =>
  all
    .map((one) => ({ one, folded: foldText(one.name) }))
    .toSorted((a, b) => compareText(a.folded, b.folded) || compareText(idOf(a.one), idOf(b.one)))
    .slice(0, PEOPLE_FOUND_MAX)
    .map(({ one }) => one);
