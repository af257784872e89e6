import { describe, expect, it } from 'vitest';
import {
  missingPeople,
  repeatedIn,
  unknownAssignees,
  usersNamedIn,
  type Directory,
} from '../../../src/domain/people/directory.ts';
import { PEOPLE_FOUND_MAX, WARNED_PEOPLE_MAX } from '../../../src/domain/people/limits.ts';
import { findPeople, searchWords, type KnownPeople } from '../../../src/domain/people/people.ts';
import { refusalOf } from '../../../src/domain/service-desk/desk.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';

const directory: Directory = {
  users: [
    { userId: 'u-ana', name: 'Ana Weiß', email: 'ana@example.com' },
    { userId: 'u-bo', name: 'Bo' },
  ],
  teams: [{ teamId: 'hvac', name: 'Heating and air', members: ['u-ana', 'u-cy'] }],
};

const known = (parts: Partial<KnownPeople> = {}): KnownPeople => ({
  directory,
  signedIn: new Map(),
  assignedUsers: [],
  assignedTeams: [],
  ...parts,
});

const found = (search: string, parts: Partial<KnownPeople> = {}) =>
  findPeople(known(parts), searchWords(search));

const idsOf = (search: string, parts: Partial<KnownPeople> = {}) =>
  found(search, parts).items.map(({ userId }) => userId);

describe('the people of an organisation', () => {
  it("are the directory's, the signed-in and the assigned users, each once", () => {
    const { items, teams, more } = found('', {
      signedIn: new Map([
        ['u-ana', 'ana.weiss'],
        ['u-cy', 'Cy'],
        ['u-dee', null],
      ]),
      assignedUsers: ['u-ana', 'u-eve'],
      assignedTeams: ['hvac', 'lifts'],
    });
    expect(items).toEqual([
      { userId: 'u-ana', name: 'Ana Weiß', teams: ['hvac'] },
      { userId: 'u-bo', name: 'Bo', teams: [] },
      { userId: 'u-cy', name: 'Cy', teams: ['hvac'] },
      { userId: 'u-dee', name: 'u-dee', teams: [] },
      { userId: 'u-eve', name: 'u-eve', teams: [] },
    ]);
    expect(teams).toEqual([
      { teamId: 'hvac', name: 'Heating and air', members: ['u-ana', 'u-cy'] },
      { teamId: 'lifts', name: 'lifts', members: [] },
    ]);
    expect(more).toBe(false);
  });

  it('are found by every word in name, id or address, ignoring case and accents', () => {
    expect(idsOf('WEISS ana')).toEqual(['u-ana']);
    expect(idsOf('example.COM')).toEqual(['u-ana']);
    expect(idsOf('u-b')).toEqual(['u-bo']);
    expect(idsOf('ana bo')).toEqual([]);
    expect(idsOf('%')).toEqual([]);
    expect(found('air').teams.map(({ teamId }) => teamId)).toEqual(['hvac']);
    expect(found('ana').teams).toEqual([]);
  });

  it('are found by the name of their sign-in too, and shown by that of the directory', () => {
    const signedIn = new Map([['u-bo', 'Robert']]);
    expect(found('robert', { signedIn }).items).toMatchObject([{ userId: 'u-bo', name: 'Bo' }]);
  });

  it('are listed up to a bound, and an answer says that there are more', () => {
    const assignedUsers = Array.from({ length: PEOPLE_FOUND_MAX - 2 }, (_, at) => `x${at}`);
    expect(found('', { assignedUsers })).toMatchObject({ more: false });
    const { items, more } = found('', { assignedUsers: [...assignedUsers, 'one-more'] });
    expect([items.length, more]).toEqual([PEOPLE_FOUND_MAX, true]);
    const assignedTeams = assignedUsers.concat('y', 'z');
    expect(found('', { assignedTeams })).toMatchObject({ more: true });
  });
});

describe('a directory', () => {
  it('has each user, each team and each member of a team once', () => {
    const users = [...directory.users, { userId: 'u-bo', name: 'Bo again' }];
    const [team] = directory.teams;
    const teams = [team!, { ...team!, members: ['u-ana', 'u-ana'] }];
    expect(repeatedIn({ users, teams }).map(({ path }) => path)).toEqual([
      'users[2].userId',
      'teams[1].teamId',
      'teams[1].members[1]',
    ]);
    expect(refusalOf(configured({ directory: { users, teams } }))).toMatchObject({
      refused: 'VALIDATION_FAILED',
      extra: { errors: [{ path: 'directory.users[2].userId' }, {}, {}] },
    });
    expect(refusalOf(configured({ directory }))).toBeNull();
  });

  it('warns of members and of assignees of rules that do not exist', () => {
    const document = configured({
      directory,
      routingRules: [
        rule('known', { assignTeamId: 'hvac', assignUserId: 'u-bo' }),
        rule('typo', { assignTeamId: 'hvca', assignUserId: 'u-fay' }),
      ],
    });
    expect(usersNamedIn(document)).toEqual(['u-cy', 'u-fay']);
    expect(missingPeople(document, new Set())).toEqual([
      'Team "hvac" has members that do not exist: u-cy.',
      'Rule "typo": User "u-fay" is not in the directory and has never signed in.',
      'Rule "typo": Team "hvca" is not in the directory.',
    ]);
    expect(missingPeople(document, new Set(['u-cy', 'u-fay']))).toEqual([
      'Rule "typo": Team "hvca" is not in the directory.',
    ]);
  });

  it('names at most a few of the members that are missing', () => {
    const members = Array.from({ length: WARNED_PEOPLE_MAX + 2 }, (_, at) => `m${at}`);
    const [warning] = missingPeople(
      configured({ directory: { users: [], teams: [{ teamId: 't', name: 'T', members }] } }),
      new Set(),
    );
    expect(warning).toMatch(/: m0, .*m9 and 2 more\.$/);
  });

  it('warns of unknown assignees only, and only with a directory', () => {
    const of = (assignees: object, hasSignedIn = false) =>
      unknownAssignees(directory, assignees, hasSignedIn);
    expect(of({ assignedUserId: 'u-fay', assignedTeamId: 'hvca' })).toEqual([
      'User "u-fay" is not in the directory and has never signed in.',
      'Team "hvca" is not in the directory.',
    ]);
    expect(of({ assignedUserId: 'u-fay' }, true)).toEqual([]);
    expect(of({ assignedUserId: 'u-bo', assignedTeamId: 'hvac' })).toEqual([]);
    expect(of({ assignedUserId: null, assignedTeamId: null })).toEqual([]);
    expect(unknownAssignees(undefined, { assignedUserId: 'u-fay' }, false)).toEqual([]);
  });

  it('is no business of a configuration without one', () => {
    const document = configured({ routingRules: [rule('any', { assignUserId: 'u-fay' })] });
    expect(usersNamedIn(document)).toEqual([]);
    expect(missingPeople(document, new Set())).toEqual([]);
  });
});
