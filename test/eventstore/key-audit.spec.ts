/** The audit of keys where the log is a real EventStoreDB. contract.md section 3. */
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { useJournal } from '../../src/domain/keys/journals.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { keyIssued } from '../support/log/key-audit.ts';
import { testApi } from '../support/api/api.ts';
import { untilCount } from '../support/until.ts';

const given = inject('eventstoreUrl');
const AUDIT = '/api/v1/keys/audit';

describe('on a real EventStoreDB', () => {
  const platform = testApi(() => ({ log: eventstoreDbStore({ url: given }) }));
  let log: EventStore;
  beforeAll(() => {
    ({ log } = platform);
  });

  it('returns each record made before the request once, in list, export and history', async () => {
    const now = systemClock.now();
    const key = await keyIssued(log, 'globex', now);
    const use = key.use(now);
    for (let times = 0; times < 3; times += 1)
      await log.append(useJournal('globex', now), 'any', [use]);
    const auditor = platform.as('auditor@globex.test');
    const shown = () => auditor.get(`${AUDIT}?keyId=${key.keyId}`);
    // A read waits for the audit, and reports stale data where a busy machine is too slow.
    await expect.poll(async () => (await shown()).headers['x-atrium-stale']).toBeUndefined();
    const { body } = await shown();
    const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).sort();
    expect(body.items.length).toBe(2);
    const history = await auditor.get(`/api/v1/keys/${key.keyId}/history`);
    expect(ids(history.body.items)).toEqual(ids(body.items));
    const file = await auditor.get(`${AUDIT}?keyId=${key.keyId}`, {
      accept: 'application/x-ndjson',
    });
    const lines = (file.body as string).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(body.items);
  });

  it('can be paged in the order of the log, each record exactly once', async () => {
    const now = systemClock.now();
    const key = await keyIssued(log, 'globex', now);
    const auditor = platform.as('auditor@globex.test');
    const seen: string[] = [];
    let after = 'start';
    const read = async () => {
      const { status, body } = await auditor.get(
        `${AUDIT}?after=${after}&keyId=${key.keyId}&action=key.used&limit=7`,
      );
      expect(status, JSON.stringify(body)).toBe(200);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      after = body.nextCursor;
      return seen.length;
    };
    for (let round = 0; round < 5; round += 1) {
      const used = Promise.all(Array.from({ length: 10 }, () => key.used(now)));
      await read();
      await used;
    }
    await untilCount(read, 50, 'the uses');
    await read();
    const journal = await log.readStream(useJournal('globex', now));
    const its = journal.filter(({ data }) => (data as { keyId: string }).keyId === key.keyId);
    expect(seen).toEqual(its.map(({ id }) => id));
    expect(seen).toHaveLength(50);
  });

  it('is verified without a difference, also after a rebuild', async () => {
    const { readModels } = platform;
    for (const kind of ['verify', 'rebuild', 'verify'] as const) {
      const { id } = await readModels.ask('key-audit', { kind, by: 'ana' });
      const find = async () =>
        (await readModels.requests('key-audit')).find((request) => request.id === id)!;
      await expect.poll(async () => (await find()).endedAt).not.toBeNull();
      const said = kind === 'verify' ? { result: { equal: true } } : {};
      expect(await find()).toMatchObject({ state: 'done', ...said });
    }
  });
});
