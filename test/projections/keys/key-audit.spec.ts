import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Instant } from '../../../src/engine/aggregates/decider.ts';
import { useJournal } from '../../../src/domain/keys/journals.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import {
  auditQueries,
  type AuditQueries,
  type AuditSelection,
} from '../../../src/projections/keys/audit-queries.ts';
import { auditRowOf, keyAudit } from '../../../src/projections/keys/key-audit.ts';
import { keyHistory, type HistoryCursor } from '../../../src/projections/keys/key-history.ts';
import { keyringCodec } from '../../../src/domain/keys/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { historyOf } from '../../../src/engine/log/history.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
  countsLost,
  denialsCounted,
  keyIssued,
  ofUse,
  unknownDenied,
  type AuditedKey,
} from '../../support/log/key-audit.ts';
import { setClock } from '../../support/set-clock.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import {
  caughtUp,
  projectionsOn,
  type RunningProjections,
} from '../../support/consumers/running-projections.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { until } from '../../support/until.ts';

const NOW = '2027-09-15T12:00:00.000Z';
/** Eighteen months before it. */
const OLDEST = '2026-03-15T12:00:00.000Z';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let one: RunningProjections;
let audit: AuditQueries;
const clock = setClock(NOW);

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  clock.at = NOW;
  one = projectionsOn(database.url, log, { projections: [keyAudit], clock });
  audit = auditQueries(one.db, clock);
  one.start();
});
afterEach(async () => {
  await one.stop();
  await log.close();
  await database.drop();
});

const shown = () => caughtUp(one.models, log, 'key-audit');
const list = async (selection: AuditSelection) => audit.page(selection, null, 500);
const acme = { organisation: 'acme' };
const times = (rows: readonly { at: Instant }[]) => rows.map(({ at }) => at);

const everything = async (selection: AuditSelection) => {
  const rows = [];
  for await (const page of audit.all(selection)) rows.push(...page);
  return rows;
};

const asked = async (kind: 'rebuild' | 'verify') => {
  const { id } = await one.models.ask('key-audit', { kind, by: 'ana' });
  const find = async () =>
    (await one.models.requests('key-audit')).find((request) => request.id === id)!;
  await until(async () => (await find()).endedAt !== null, kind);
  return (await find()).result;
};

describe('a record', () => {
  it('names the issuer, the revoker and the user of a key', async () => {
    const key = await keyIssued(log, 'acme', '2027-09-01T00:00:00.000Z');
    await key.used('2027-09-02T00:00:00.000Z');
    await key.revoked('2027-09-03T00:00:00.000Z');
    const denied = await key.used('2027-09-04T00:00:00.000Z', {
      outcome: 'denied',
      reason: 'revoked',
    });
    await shown();
    const ofKey = {
      organisationId: 'acme',
      keyId: key.keyId,
      label: 'ci',
      scope: 'sandbox',
      expiresAt: '2099-01-01T00:00:00.000Z',
      count: null,
      firstAt: null,
      lastAt: null,
    };
    const byAna = { actor: { kind: 'user', id: 'ana', name: 'Ana' } };
    const byKey = { actor: { kind: 'key', id: key.keyId, name: 'ci' } };
    const nowhere = { route: null, sourceIp: null, userAgent: null };
    const there = {
      route: 'GET /api/v1/sandboxes',
      sourceIp: '192.0.2.7',
      userAgent: 'curl/8',
    };
    const rows = await list(acme);
    expect(rows[0]!.id).toBe(denied.id);
    expect(rows).toMatchObject([
      { ...ofKey, ...byKey, ...there, action: 'key.used', outcome: 'denied', reason: 'revoked' },
      { ...ofKey, ...byAna, ...nowhere, action: 'key.revoked', outcome: 'allowed', reason: null },
      { ...ofKey, ...byKey, ...there, action: 'key.used', outcome: 'allowed', reason: null },
      { ...ofKey, ...byAna, ...nowhere, action: 'key.issued', outcome: 'allowed', reason: null },
    ]);
  });

  it('of a denial without a known key has no actor and no organisation', async () => {
    await unknownDenied(log, NOW);
    await denialsCounted(log, NOW, 29_995);
    await countsLost(log, '2027-09-01T10:05:00.000Z', '2027-09-01T10:30:00.000Z');
    await shown();
    expect(await list(acme)).toEqual([]);
    const rows = await list({ organisation: null });
    expect(rows.map(({ actor, action, outcome }) => [actor, action, outcome])).toEqual(
      Array.from({ length: 3 }, () => [null, 'key.used', 'denied']),
    );
    expect(rows.filter(({ count }) => count !== null).map(({ count }) => count)).toEqual([29_995]);
    // A gap has a position, and an unknown number of records.
    expect(rows.at(-1)).toMatchObject({
      at: '2027-09-01T10:05:00.000Z',
      reason: 'unknown',
      count: null,
      firstAt: '2027-09-01T10:05:00.000Z',
      lastAt: '2027-09-01T10:05:00.000Z',
    });
  });

  it('that a journal holds twice is one', async () => {
    const key = await keyIssued(log, 'acme', NOW);
    const use = key.use(NOW);
    await key.usedBefore([use]);
    const repeats = logWith(log, {
      async *subscribe(after, options) {
        for await (const batch of log.subscribe(after, options))
          yield { ...batch, events: [...batch.events, ...batch.events] };
      },
    });
    await one.stop();
    one = projectionsOn(database.url, repeats, { projections: [keyAudit], clock });
    audit = auditQueries(one.db, clock);
    one.start();
    await shown();
    expect((await list(acme)).length).toBe(2);
  });

  it('of an issuance without an organisation is not returned', () => {
    const fact = { id: 'x', at: NOW, position: '1', by: { kind: 'user', id: 'ana' } as const };
    const event = { type: 'KeyRevoked', keyId: 'k', label: 'l', scope: 'full', expiresAt: null };
    expect(() => auditRowOf({ ...fact, event } as Parameters<typeof auditRowOf>[0])).toThrow(
      'no organisation',
    );
  });
});

describe('a selection', () => {
  let key: AuditedKey;
  let other: AuditedKey;
  beforeEach(async () => {
    key = await keyIssued(log, 'acme', '2027-08-01T00:00:00.000Z');
    other = await keyIssued(log, 'acme', '2027-08-02T00:00:00.000Z');
    const foreign = await keyIssued(log, 'globex', '2027-08-03T00:00:00.000Z');
    await foreign.used('2027-08-04T00:00:00.000Z');
    await key.used('2027-08-05T00:00:00.000Z');
    await other.used('2027-08-06T00:00:00.000Z');
    await key.used('2027-08-07T00:00:00.000Z', { outcome: 'denied', reason: 'scope' });
    await key.revoked('2027-08-08T00:00:00.000Z');
    await shown();
  });

  const days = async (over: Omit<AuditSelection, 'organisation'>, organisation = 'acme') =>
    times(await list({ organisation, ...over })).map((at) => Number(at.slice(8, 10)));

  it('is one organisation’s, newest first', async () => {
    expect(await days({})).toEqual([8, 7, 6, 5, 2, 1]);
    expect(await days({}, 'globex')).toEqual([4, 3]);
    expect(await days({}, 'initech')).toEqual([]);
  });

  it.each([
    [{ action: 'key.issued' }, [2, 1]],
    [{ action: 'key.used' }, [7, 6, 5]],
    [{ action: 'key.revoked' }, [8]],
    [{ outcome: 'denied' }, [7]],
    [{ outcome: 'allowed' }, [8, 6, 5, 2, 1]],
    [{ action: 'key.used', outcome: 'allowed' }, [6, 5]],
    [{ action: 'key.issued', outcome: 'denied' }, []],
    [{ from: '2027-08-06T00:00:00.000Z' }, [8, 7, 6]],
    [{ to: '2027-08-06T00:00:00.000Z' }, [5, 2, 1]],
    [{ from: '2027-08-05T00:00:00.000Z', to: '2027-08-07T00:00:00.000Z' }, [6, 5]],
  ] as const)('by %o', async (over, expected) => expect(await days(over)).toEqual(expected));

  it('by key, alone and with the other filters, and of no other organisation’s key', async () => {
    const { keyId } = key;
    expect(await days({ keyId })).toEqual([8, 7, 5, 1]);
    expect(await days({ keyId, outcome: 'allowed' })).toEqual([8, 5, 1]);
    expect(await days({ keyId, action: 'key.used' })).toEqual([7, 5]);
    expect(await days({ keyId, from: '2027-08-05T00:00:00.000Z' })).toEqual([8, 7, 5]);
    expect(await days({ keyId: other.keyId })).toEqual([6, 2]);
    expect(await days({ keyId }, 'globex')).toEqual([]);
  });

  it("finds each key's last allowed use, at any given time", async () => {
    const keys = [key.keyId, other.keyId];
    expect(Object.fromEntries(await audit.lastUses('acme', keys))).toEqual({
      [key.keyId]: '2027-08-05T00:00:00.000Z',
      [other.keyId]: '2027-08-06T00:00:00.000Z',
    });
    expect(await audit.lastUses('globex', keys)).toEqual(new Map());
    const then = await audit.lastUses('acme', keys, '2027-08-05T00:00:00.000Z');
    expect(Object.fromEntries(then)).toEqual({ [key.keyId]: '2027-08-05T00:00:00.000Z' });
    clock.at = '2029-02-05T00:00:00.001Z';
    expect(await audit.lastUses('acme', [key.keyId])).toEqual(new Map());
  });
});

describe('pages', () => {
  it('over records of one millisecond have no gaps and no duplicates', async () => {
    const key = await keyIssued(log, 'acme', NOW);
    await key.usedBefore(
      Array.from({ length: 50 }, (_, index) =>
        key.use(NOW, index % 3 === 0 ? { outcome: 'denied', reason: 'scope' } : {}),
      ),
    );
    await shown();
    for (const over of [{}, { keyId: key.keyId }, { outcome: 'allowed' as const }]) {
      const all = (await list({ ...acme, ...over })).map(({ id }) => id);
      const paged: string[] = [];
      for (let place = null; ;) {
        const page = await audit.page({ ...acme, ...over }, place, 7);
        paged.push(...page.map(({ id }) => id));
        if (page.length < 7) break;
        place = page.at(-1)!;
      }
      expect(paged).toEqual(all);
      expect(new Set(paged).size).toBe(paged.length);
    }
  });

  it('of a whole selection are read lazily', async () => {
    const key = await keyIssued(log, 'acme', NOW);
    for (let part = 0; part < 3; part += 1)
      await key.usedBefore(Array.from({ length: 800 }, () => key.use(NOW)));
    await shown();
    expect((await everything(acme)).length).toBe(2_401);
    const sizes: number[] = [];
    for await (const page of audit.all({ ...acme, action: 'key.used' })) sizes.push(page.length);
    expect(sizes).toEqual([1_000, 1_000, 400]);
  });
});

describe('eighteen calendar months', () => {
  let key: AuditedKey;
  const gone = '2026-03-15T11:59:59.999Z';
  beforeEach(async () => {
    key = await keyIssued(log, 'acme', gone);
    await key.used(gone);
    await key.used(OLDEST);
    await key.used('2026-02-28T23:59:59.999Z');
    await key.used(NOW);
    await shown();
  });

  it('bound every answer to the instant, regardless of the partitions', async () => {
    expect(times(await list(acme))).toEqual([NOW, OLDEST]);
    expect(times(await list({ ...acme, from: '2020-01-01T00:00:00.000Z' }))).toEqual([NOW, OLDEST]);
    expect(times(await list({ ...acme, keyId: key.keyId }))).toEqual([NOW, OLDEST]);
    expect(times(await everything(acme))).toEqual([NOW, OLDEST]);
    const { rows } = await one.db.pool.query('select at from key_audit_v2.record order by at');
    expect(times(rows)).toEqual([gone, gone, OLDEST, NOW]);
    clock.at = '2027-09-15T12:00:00.001Z';
    expect(times(await list(acme))).toEqual([NOW]);
    expect(times(await everything(acme))).toEqual([NOW]);
  });

  it('end on the last day of a month without that day, in every answer', async () => {
    clock.at = '2026-09-02T00:00:00.000Z';
    const other = await keyIssued(log, 'globex', '2026-08-28T00:00:00.000Z');
    const days = ['28T13', '29T11', '29T13', '30T12', '31T11', '31T13'];
    const uses = days.map((day) => `2026-08-${day}:00:00.000Z`);
    for (const use of uses) await other.used(use);
    await shown();
    const globex = { organisation: 'globex', action: 'key.used' } as const;
    const at = async (now: Instant) => {
      clock.at = now;
      const { rows } = await historyFor(other, null, 100);
      const used = rows.filter(({ action }) => action === 'key.used');
      expect(times(used).toSorted()).toEqual(times(await list(globex)).toReversed());
      expect(times(await everything(globex))).toEqual(times(await list(globex)));
      const followed = await audit.following(globex, null, 100);
      expect(times(followed).toSorted()).toEqual(times(used).toSorted());
      return times(used);
    };
    expect(await at('2028-02-28T12:00:00.000Z')).toEqual(uses);
    expect(await at('2028-02-29T00:00:00.000Z')).toEqual(uses.slice(1));
    // All three days end on this one.
    expect(await at('2028-02-29T12:00:00.000Z')).toEqual([uses[2], uses[3], uses[5]]);
    expect(await at('2028-02-29T13:00:00.001Z')).toEqual([]);
    expect(await at('2028-03-01T00:00:00.000Z')).toEqual([]);
  });

  it('bound a rebuild alike, and it is verified clean', async () => {
    await asked('rebuild');
    expect(times(await list(acme))).toEqual([NOW, OLDEST]);
    expect(await asked('verify')).toMatchObject({ equal: true });
    clock.at = '2027-10-01T00:00:00.000Z';
    await asked('rebuild');
    expect(times(await list(acme))).toEqual([NOW]);
    expect(await asked('verify')).toMatchObject({ equal: true });
    // As the journal's retention does: deleted records are not returned.
    await log.deleteStream(useJournal('acme', OLDEST));
    expect(await asked('verify')).toMatchObject({ equal: true });
  });

  it('bound the history’s uses, and neither issuance nor revocation', async () => {
    await key.revoked(gone);
    const { rows, next } = await historyFor(key, null, 100);
    expect(rows.map(({ action, at }) => [action, at])).toEqual([
      ['key.issued', gone],
      ['key.used', OLDEST],
      ['key.used', NOW],
      // In the order of the log, where it came last.
      ['key.revoked', gone],
    ]);
    expect(next).toBeNull();
  });
});

const historyFor = async (
  key: AuditedKey,
  place: HistoryCursor | null,
  limit: number,
  from = log,
) => {
  const { organisation, keyId } = key;
  const all = await historyOf(log, keyringCodec, `keyring-${keyringOf(organisation)}`);
  const facts = all.filter(({ event }) => 'keyId' in event && event.keyId === keyId);
  return keyHistory(from, { organisation, keyId, facts, now: clock.at, place, limit });
};

describe('a history', () => {
  const whole = async (key: AuditedKey, limit: number, from = log) => {
    const rows = [];
    const sizes: number[] = [];
    for (let place: HistoryCursor | null = null; ;) {
      const page = await historyFor(key, place, limit, from);
      rows.push(...page.rows);
      sizes.push(page.rows.length);
      if (page.next === null) return { rows, sizes };
      place = page.next;
    }
  };

  it('is the key’s own, oldest first, page by page, across months', async () => {
    const key = await keyIssued(log, 'acme', '2027-06-15T00:00:00.000Z');
    const other = await keyIssued(log, 'acme', '2027-06-15T00:00:00.000Z');
    for (const at of ['2027-06-20', '2027-08-01', '2027-08-02', '2027-09-01']) {
      await other.used(`${at}T00:00:00.000Z`);
      await key.used(`${at}T00:00:00.000Z`);
      if (at === '2027-08-01') await key.revoked(`${at}T12:00:00.000Z`);
    }
    const said = [
      ['key.issued', '2027-06-15T00:00:00.000Z'],
      ['key.used', '2027-06-20T00:00:00.000Z'],
      ['key.used', '2027-08-01T00:00:00.000Z'],
      ['key.revoked', '2027-08-01T12:00:00.000Z'],
      ['key.used', '2027-08-02T00:00:00.000Z'],
      ['key.used', '2027-09-01T00:00:00.000Z'],
    ];
    for (const limit of [1, 2, 3, 5, 6, 100]) {
      const { rows, sizes } = await whole(key, limit);
      expect(rows.map(({ action, at }) => [action, at])).toEqual(said);
      expect(sizes.length).toBe(Math.ceil(6 / limit));
    }
  });

  it('searches a bounded number of events per call, and continues from there', async () => {
    const key = await keyIssued(log, 'acme', '2027-09-01T00:00:00.000Z');
    const other = await keyIssued(log, 'acme', '2027-09-01T00:00:00.000Z');
    for (let part = 0; part < 12; part += 1)
      await other.usedBefore(Array.from({ length: 1_000 }, () => other.use(NOW)));
    await key.used(NOW);
    let reads = 0;
    const counting = logWith(log, {
      readStream: (...call) => {
        reads += 1;
        return log.readStream(...call);
      },
    });
    const first = await historyFor(key, null, 100, counting);
    expect(first.rows).toEqual([]);
    expect(first.next).not.toBeNull();
    expect(reads).toBeLessThan(12);
    const { rows } = await whole(key, 100);
    expect(rows.map(({ action }) => action)).toEqual(['key.issued', 'key.used']);
  });

  it('returns a repeated event of a journal once, also across pages', async () => {
    const key = await keyIssued(log, 'acme', '2027-09-01T00:00:00.000Z');
    const uses = [key.use(NOW), key.use(NOW), key.use(NOW)];
    await key.usedBefore(uses);
    const journal = useJournal('acme', NOW);
    const repeating = logWith(log, {
      readStream: async (stream, range = {}) => {
        if (stream !== journal) return log.readStream(stream, range);
        const stored = await log.readStream(stream);
        const again = stored.map((event) => ({ ...event, position: `${event.position}000` }));
        const twice = [...stored, ...again].map((event, revision) => ({ ...event, revision }));
        if (range.backwards) return twice.slice(-1);
        const from = range.from ?? 0;
        return twice.slice(from, from + (range.limit ?? 1_000));
      },
    });
    for (const limit of [1, 2, 100]) {
      const { rows } = await whole(key, limit, repeating);
      expect(rows.map(({ id }) => id).slice(1)).toEqual(uses.map(({ id }) => id));
    }
  });

  it('excludes aggregates per minute and records without an organisation', async () => {
    const key = await keyIssued(log, 'acme', '2027-09-01T00:00:00.000Z');
    const counted = { reason: 'secret_mismatch', sourceIp: null, count: 3 } as const;
    await log.append(useJournal('acme', NOW), 'any', [
      ofUse({ type: 'KeyDenialsCounted', ...counted, firstAt: NOW, lastAt: NOW }, NOW, 'acme'),
    ]);
    expect((await whole(key, 10)).rows.map(({ action }) => action)).toEqual(['key.issued']);
    await shown();
    expect((await list(acme)).map(({ count }) => count)).toEqual([3, null]);
  });
});

describe('the indexes', () => {
  it.each([
    ['one organisation’s newest', acme],
    ['the newest without an organisation', { organisation: null }],
    ['a key’s', { ...acme, keyId: 'k'.repeat(22) }],
    ['an action’s', { ...acme, action: 'key.issued' as const }],
    ['the denied', { ...acme, outcome: 'denied' as const }],
  ])('give %s without sorting all records', async (_, selection) => {
    const key = await keyIssued(log, 'acme', NOW);
    await key.used(NOW);
    await shown();
    const texts: [string, unknown[]][] = [];
    const spied = auditQueries(
      {
        pool: Object.assign(Object.create(one.db.pool) as typeof one.db.pool, {
          query: async (text: string, values: unknown[]) => {
            texts.push([text, values]);
            return { rows: [] };
          },
        }),
      },
      clock,
    );
    await spied.page(selection, { at: NOW, id: key.use(NOW).id }, 100);
    const client = await one.db.pool.connect();
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain ${texts[0]![0]}`,
      texts[0]![1],
    );
    client.release(true);
    const plan = rows.map((line) => line['QUERY PLAN']).join('\n');
    const conditions = plan.match(/Index Cond: .*/g) ?? [];
    expect(conditions.length).toBeGreaterThan(0);
    // Each arm of the union reads in order: only the few rows of both arms may be sorted.
    expect(plan.match(/Sort Key/g)?.length ?? 0).toBeLessThanOrEqual(1);
    for (const condition of conditions) expect(condition).toContain('organisation_id');
  });
});
