/** Sign-ins against a real Postgres. contract.md section 5. */
import { pino } from 'pino';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { searchWords } from '../../../src/domain/people/people.ts';
import { SIGN_IN_KEPT_DAYS } from '../../../src/projections/people/limits.ts';
import { signIns, type SignIns } from '../../../src/projections/people/sign-ins.ts';
import { clockAt, type SettableClock } from '../../support/log/keys.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const DAY_S = 86_400;
const NOW = '2026-03-15T12:00:00.000Z';
let database: TestDatabase;
let pool: Pool;
let clock: SettableClock;
let one: SignIns;
/** Statements that were sent. */
let sent: number;
let lines: string[];
let isDown: boolean;

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('truncate people.sign_ins');
  clock = clockAt(NOW);
  sent = 0;
  lines = [];
  isDown = false;
  one = started();
});

/** As each process has it. */
const started = (): SignIns => {
  const counted = new Proxy(pool, {
    get(target, member) {
      if (member !== 'query') return Reflect.get(target, member);
      sent += 1;
      return isDown ? () => Promise.reject(new Error('away')) : target.query.bind(target);
    },
  });
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return signIns({ pool: counted, clock, logger });
};

const person = (id: string, name?: string, organisation = 'acme') => ({
  actor: { kind: 'user' as const, id, ...(name === undefined ? {} : { name }) },
  organisation,
  person: true,
});

const note = async (...callers: Parameters<SignIns['note']>[0][]) => {
  for (const caller of callers) one.note(caller);
  await one.written();
};
const found = async (search = '', organisation = 'acme') =>
  [...(await one.search(organisation, searchWords(search), 10))].map(([id]) => id);

describe('a sign-in', () => {
  it('is recorded with its name, for its organisation alone', async () => {
    await note(person('u1', 'Ana'), person('u2'), person('u3', 'Gil', 'globex'));
    expect(await one.search('acme', [], 10)).toEqual(
      new Map([
        ['u1', 'Ana'],
        ['u2', null],
      ]),
    );
    expect(await one.among('acme', ['u1', 'u3', 'u9'])).toEqual(new Map([['u1', 'Ana']]));
  });

  it('is written once a day, for any number of requests', async () => {
    await note(...Array.from({ length: 100 }, () => person('u1', 'Ana')));
    await note(person('u1', 'Ana'));
    expect(sent).toBe(1);
    clock.pass(DAY_S);
    await note(person('u1', 'Ana Weiß'));
    await note(person('u1', 'Ana Weiß'));
    expect(sent).toBe(2);
    expect(await one.among('acme', ['u1'])).toEqual(new Map([['u1', 'Ana Weiß']]));
  });

  it('of the same day in another process writes the row no second time', async () => {
    const version = async () =>
      (await pool.query('select xmin::text from people.sign_ins')).rows[0].xmin;
    await note(person('u1', 'Ana'));
    const first = await version();
    one = started();
    await note(person('u1', 'Other'));
    expect(await version()).toBe(first);
  });

  it('is recorded by several processes concurrently without errors', async () => {
    const everybody = Array.from({ length: 200 }, (_, at) => person(`u${at}`, `N${at}`));
    const processes = Array.from({ length: 8 }, () => started());
    for (const [at, process] of processes.entries())
      for (const caller of at % 2 === 0 ? everybody : everybody.toReversed()) process.note(caller);
    await Promise.all(processes.map((process) => process.written()));
    expect(lines).toEqual([]);
    expect((await pool.query('select 1 from people.sign_ins')).rowCount).toBe(200);
  });

  it('is not recorded for a machine, a key, or an operator without organisation', async () => {
    await note({ ...person('bridge'), person: false }, { ...person('op'), organisation: null });
    expect(sent).toBe(0);
  });

  it('that could not be written is logged, and written with the next request', async () => {
    isDown = true;
    await note(person('u1', 'Ana'));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a sign-in was not recorded']);
    isDown = false;
    await note(person('u1', 'Ana'));
    expect(await found()).toEqual(['u1']);
  });

  it('is deleted after a time, when another user of the organisation signs in', async () => {
    await note(person('old'), person('other', 'Gil', 'globex'));
    clock.pass((SIGN_IN_KEPT_DAYS + 1) * DAY_S);
    await note(person('new'));
    expect(await found()).toEqual(['new']);
    expect(await found('', 'globex')).toEqual(['other']);
  });

  it('of a user who was away for longer is recorded again', async () => {
    await note(person('old'));
    clock.pass((SIGN_IN_KEPT_DAYS + 1) * DAY_S);
    await note(person('old'));
    expect(await found()).toEqual(['old']);
    expect(lines).toEqual([]);
  });
});

describe('a search', () => {
  it('finds every word in name or id, literally, ignoring case and accents', async () => {
    await note(person('u1', 'Ana Weiß'), person('u_2', '100%'), person('u3', 'Bo\\'));
    expect(await found('WEISS an')).toEqual(['u1']);
    expect(await found('%')).toEqual(['u_2']);
    expect(await found('u_')).toEqual(['u_2']);
    expect(await found('\\')).toEqual(['u3']);
    expect(await found('bo ana')).toEqual([]);
  });

  it('finds no more than was asked for', async () => {
    await note(person('u1'), person('u2'), person('u3'));
    expect((await one.search('acme', [], 2)).size).toBe(2);
  });
});
