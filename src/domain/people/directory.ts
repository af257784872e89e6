/**
 * An organisation's directory: the users and teams that tickets can be assigned to, as a member of
 * its configuration. It is not a restriction: an assignee that is not in it is accepted with a
 * warning. contract.md section 5.
 */
import { z } from 'zod';
import { repeatsIn } from '../repeats.ts';
import { addressText, storedAssignee, word } from '../tickets/words.ts';
import {
  DIRECTORY_NAME_CHARACTERS_MAX,
  DIRECTORY_TEAMS_MAX,
  DIRECTORY_USERS_MAX,
  TEAM_MEMBERS_MAX,
  WARNED_PEOPLE_MAX,
} from './limits.ts';

const name = word(DIRECTORY_NAME_CHARACTERS_MAX);
const email = z.exactOptional(addressText(DIRECTORY_NAME_CHARACTERS_MAX));

export const directorySchema = z
  .strictObject({
    users: z
      .array(
        z
          .strictObject({
            userId: storedAssignee.describe("The `sub` claim of the user's access token."),
            name,
            email,
          })
          .meta({ id: 'DirectoryUser' }),
      )
      .max(DIRECTORY_USERS_MAX),
    teams: z
      .array(
        z
          .strictObject({
            teamId: storedAssignee,
            name,
            members: z.array(storedAssignee).max(TEAM_MEMBERS_MAX).describe('User ids.'),
            email,
          })
          .meta({ id: 'DirectoryTeam' }),
      )
      .max(DIRECTORY_TEAMS_MAX),
  })
  .meta({ id: 'Directory' });
export type Directory = z.infer<typeof directorySchema>;

/** The part of a routing rule that names an assignee. */
interface AssigningRule {
  readonly ruleId: string;
  readonly assignUserId?: string;
  readonly assignTeamId?: string;
}

/** A configuration's part that names people. */
export interface NamingPeople {
  readonly directory?: Directory;
  readonly routingRules: readonly AssigningRule[];
}

/** The repeated ids of a directory, each with its path below `directory`. */
export const repeatedIn = ({
  users,
  teams,
}: Directory): readonly { readonly path: string; readonly message: string }[] => [
  ...repeatsIn(users.map(({ userId }) => userId)).map(({ value, index }) => ({
    path: `users[${index}].userId`,
    message: `another user has the userId "${value}" already`,
  })),
  ...repeatsIn(teams.map(({ teamId }) => teamId)).map(({ value, index }) => ({
    path: `teams[${index}].teamId`,
    message: `another team has the teamId "${value}" already`,
  })),
  ...teams.flatMap(({ teamId, members }, team) =>
    repeatsIn(members).map(({ value, index }) => ({
      path: `teams[${team}].members[${index}]`,
      message: `team "${teamId}" has the member "${value}" already`,
    })),
  ),
];

/** Users that a configuration names outside its directory's `users`, each once. */
export const usersNamedIn = ({ directory, routingRules }: NamingPeople): readonly string[] => {
  if (!directory) return [];
  const named = new Set([
    ...directory.teams.flatMap(({ members }) => members),
    ...routingRules.flatMap(({ assignUserId }) => assignUserId ?? []),
  ]);
  for (const { userId } of directory.users) named.delete(userId);
  return [...named];
};

/**
 * Names each team with members that do not exist, and each rule that assigns a user or a team that
 * does not exist. `[]` without a directory.
 *
 * @param signedIn The users among {@link usersNamedIn} who have signed in.
 */
export const missingPeople = (
  configuration: NamingPeople,
  signedIn: ReadonlySet<string>,
): readonly string[] => {
  const { directory, routingRules } = configuration;
  if (!directory) return [];
  const missing = new Set(usersNamedIn(configuration).filter((userId) => !signedIn.has(userId)));
  const teams = new Set(directory.teams.map(({ teamId }) => teamId));
  return [
    ...directory.teams.flatMap(({ teamId, members }) => {
      const absent = members.filter((userId) => missing.has(userId));
      if (absent.length === 0) return [];
      const some = absent.slice(0, WARNED_PEOPLE_MAX).join(', ');
      const others = absent.length - WARNED_PEOPLE_MAX;
      const more = others > 0 ? ` and ${others} more` : '';
      return [`Team "${teamId}" has members that do not exist: ${some}${more}.`];
    }),
    ...routingRules.flatMap(({ ruleId, assignUserId, assignTeamId }) => [
      ...(assignUserId !== undefined && missing.has(assignUserId)
        ? [`Rule "${ruleId}": ${unknownUser(assignUserId)}`]
        : []),
      ...(assignTeamId !== undefined && !teams.has(assignTeamId)
        ? [`Rule "${ruleId}": ${unknownTeam(assignTeamId)}`]
        : []),
    ]),
  ];
};

/** `undefined` or `null`: unassigned. */
export interface Assignees {
  readonly assignedUserId?: string | null | undefined;
  readonly assignedTeamId?: string | null | undefined;
}

/**
 * Names the assignees that do not exist; `[]` without a directory.
 *
 * @param hasSignedIn Whether the assigned user has signed in.
 */
export const unknownAssignees = (
  directory: Directory | undefined,
  { assignedUserId, assignedTeamId }: Assignees,
  hasSignedIn: boolean,
): readonly string[] => {
  if (!directory) return [];
  const isUnknownUser =
    typeof assignedUserId === 'string' && !hasSignedIn && !hasUser(directory, assignedUserId);
  const isUnknownTeam =
    typeof assignedTeamId === 'string' &&
    !directory.teams.some(({ teamId }) => teamId === assignedTeamId);
  return [
    ...(isUnknownUser ? [unknownUser(assignedUserId)] : []),
    ...(isUnknownTeam ? [unknownTeam(assignedTeamId)] : []),
  ];
};

export const hasUser = ({ users }: Directory, userId: string): boolean =>
  users.some((user) => user.userId === userId);

const unknownUser = (userId: string) =>
  `User "${userId}" is not in the directory and has never signed in.`;
const unknownTeam = (teamId: string) => `Team "${teamId}" is not in the directory.`;
