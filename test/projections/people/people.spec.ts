/** The search of people among many assignees of tickets. contract.md section 5. */
import { pino } from 'pino';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PEOPLE_FOUND_MAX } from '../../../src/domain/people/limits.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { peopleOf, type People } from '../../../src/projections/people/people.ts';
import { signIns } from '../../../src/projections/people/sign-ins.ts';
import { ASSIGNEES_SEARCHED_MAX } from '../../../src/projections/tickets/limits.ts';
import { ticketList } from '../../../src/projections/tickets/list.ts';
import { ticketQueries } from '../../../src/projections/tickets/query/queries.ts';
import { LIST } from '../../../src/projections/tickets/query/tables.ts';
import { configured } from '../../support/domain/service-desk.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { openedPlainly } from '../tickets/ticket-histories.ts';
import { storedOf, ticketTables } from '../tickets/ticket-tables.ts';

let database: TestDatabase;
let pool: Pool;
let tables: Awaited<ReturnType<typeof ticketTables>>;
let people: People;

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
  tables = await ticketTables(pool, [ticketList]);
  people = peopleOf({
    tickets: ticketQueries({ pool }),
    desks: { configurationOf: async () => configured({}) },
    signIns: signIns({ pool, clock: systemClock, logger: pino({ enabled: false }) }),
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query('truncate people.sign_ins'));

/** Tickets anew, so many, each with a user and a team of its own, numbered from 1. */
const assignTickets = async (count: number, user = 'User-') => {
  await tables.clear();
  const id = '00000000-0000-4000-8000-000000000000';
  await tables.apply(storedOf([openedPlainly('2026-02-01T00:00:00.000Z', id, 'SR-000001')]));
  await pool.query(
    `insert into ${LIST}
     select (jsonb_populate_record(one, jsonb_build_object(
       'id', gen_random_uuid(),
       'assigned_user_id', $2 || to_char(n, 'FM0000'),
       'assigned_team_id', 'Team-' || to_char(n, 'FM0000')))).*
     from ${LIST} as one, generate_series(1, $1::integer) as n`,
    [count, user],
  );
};

const found = async (search: string) => {
  const { items, teams, more } = await people.find('acme', search);
  return [items.map(({ userId }) => userId), teams.map(({ teamId }) => teamId), more];
};

it('finds each of many assignees by the words of its id', async () => {
  await assignTickets(720);
  expect(await found('0719 user')).toEqual([['User-0719'], [], false]);
  expect(await found('TEAM-0719')).toEqual([[], ['Team-0719'], false]);
  expect(await found('-0719')).toEqual([['User-0719'], ['Team-0719'], false]);
  const [items, , more] = await found('user');
  expect([items, more]).toEqual([expect.objectContaining({ length: PEOPLE_FOUND_MAX }), true]);
});

it('folds letters beyond ASCII in ids as in the search', async () => {
  await assignTickets(510, 'WEIß_');
  expect(await found('weiss_0509')).toEqual([['WEIß_0509'], [], false]);
  expect(await found('weiss%0509')).toEqual([[], [], false]);
});

it('finds assignees by the names of their sign-ins', async () => {
  await assignTickets(510);
  await pool.query(
    `insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
     values ('acme', 'User-0509', 'Ana Weiß', E'user-0509\nana weiss', '2026-01-01')`,
  );
  expect(await found('ana')).toEqual([['User-0509'], [], false]);
});

it('says that there may be more where assignees are too many to be searched', async () => {
  await assignTickets(ASSIGNEES_SEARCHED_MAX);
  expect(await found('user-2000')).toEqual([['User-2000'], [], false]);
  await assignTickets(ASSIGNEES_SEARCHED_MAX + 2, 'V');
  expect(await found('v2002')).toEqual([[], [], true]);
});
