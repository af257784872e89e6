/** One organisation's searches and lists do not block others. contract.md section 1. */
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTS, SEARCHES } from '../../../src/api/tickets/limits.ts';
import { testApi } from '../../support/api/api.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const REQUESTS = '/api/service-desk/requests';
/** Every document has its trigrams, is compared with it letter by letter, and does not have it. */
const WORST = `${REQUESTS}?search=${'a'.repeat(199)}b`;

const platform = testApi();
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
const victim = platform.as('agent@globex.test');

let database: Pool;

afterAll(() => database.end());
beforeAll(async () => {
  database = poolOf(platform.databaseUrl, { max: 1 });
  const buildingId = await platform.importBuilding();
  for (let round = 0; round < 25; round += 1) {
    const created = await Promise.all(
      Array.from({ length: 8 }, () =>
        agent.post(REQUESTS, { buildingId, description: `aab ${'a'.repeat(19_990)}` }),
      ),
    );
    expect(created.map(({ status }) => status)).toEqual(Array(8).fill(201));
  }
});

describe('the worst searches of one organisation, twelve at once', () => {
  it('are answered or refused with Retry-After, and leave connections to others', async () => {
    const searches = Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? agent : viewer).get(WORST)),
    );
    const { atOnce, answers } = await beside(searches, SEARCHING);
    expect(Math.max(...atOnce)).toBeGreaterThan(0);
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(SEARCHES.ofOrganisation);
    for (const { status, body, headers } of answers) {
      expect([200, 400, 429]).toContain(status);
      if (status !== 429) continue;
      expect(body.code).toBe('RATE_LIMITED');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });
});

describe('the largest lists of one organisation, a hundred at once', () => {
  it('are answered in turn, and leave connections to others', async () => {
    const lists = Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? agent : viewer).get(`${REQUESTS}?limit=200`),
      ),
    );
    const { atOnce, answers } = await beside(lists, LISTING);
    expect(Math.max(...atOnce)).toBeGreaterThan(0);
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(LISTS.ofOrganisation);
    // A busy machine answers the last ones too late, which is a 503 to their own caller.
    for (const { status } of answers) expect([200, 429, 503]).toContain(status);
  });
});

/**
 * How many statements of a kind are under way beside `requests`, whose answers it returns, while
 * another organisation's lists are answered.
 */
const beside = async <Answers>(requests: Promise<Answers>, counting: string) => {
  const over = new AbortController();
  const ended = requests.finally(() => over.abort());
  const atOnce: number[] = [];
  const looks = async () => {
    while (!over.signal.aborted) {
      const { rows } = await database.query<{ n: number }>(counting);
      atOnce.push(rows[0]!.n);
    }
  };
  const lists = async () => {
    while (!over.signal.aborted) expect((await victim.get(REQUESTS)).status).toBe(200);
  };
  await Promise.all([looks(), lists()]);
  return { atOnce, answers: await ended };
};

const LISTING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and state = 'active' and query like '%ticket_list%'
    and query not like '%with hits as%' and pid <> pg_backend_pid()`;
const SEARCHING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and state = 'active' and query like '%with hits as%'
    and pid <> pg_backend_pid()`;
