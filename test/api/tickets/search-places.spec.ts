/** One organisation's searches do not block the lists of others. contract.md section 1. */
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCHES } from '../../../src/api/tickets/limits.ts';
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
    const over = new AbortController();
    const ended = searches.finally(() => over.abort());
    const atOnce: number[] = [];
    const looks = async () => {
      while (!over.signal.aborted) {
        const { rows } = await database.query<{ n: number }>(SEARCHING);
        atOnce.push(rows[0]!.n);
      }
    };
    const lists = async () => {
      while (!over.signal.aborted) expect((await victim.get(REQUESTS)).status).toBe(200);
    };
    await Promise.all([looks(), lists()]);
    expect(Math.max(...atOnce)).toBeGreaterThan(0);
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(SEARCHES.ofOrganisation);
    for (const { status, body, headers } of await ended) {
      expect([200, 400, 429]).toContain(status);
      if (status !== 429) continue;
      expect(body.code).toBe('RATE_LIMITED');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });
});

const SEARCHING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and state = 'active' and query like '%with hits as%'
    and pid <> pg_backend_pid()`;
