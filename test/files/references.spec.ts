import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UnreadableEvent } from '../../src/engine/log/codec.ts';
import { FILE_ORPHAN_GRACE_MS } from '../../src/files/limits.ts';
import { fileReferences, type FileReference } from '../../src/files/references.ts';
import { LogUnavailable } from '../../src/engine/log/event-store.ts';
import { sweepFiles } from '../../src/files/sweep.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { poolOf } from '../support/postgres/pool.ts';
import { until } from '../support/until.ts';

type Fresh = Awaited<ReturnType<typeof freshDatabase>>;

let database: Fresh;
let db: ReturnType<typeof poolOf>;
beforeAll(async () => {
  database = await freshDatabase();
  db = poolOf(database.url);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
beforeEach(() => db.query('delete from files.reference'));

const NOW = '2026-03-02T12:00:00.000Z';
const before = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString();

const referenceTo = (sha256: string, organisation = 'acme'): FileReference => ({
  organisation,
  sha256,
  attachmentId: randomUUID(),
  ticketId: randomUUID(),
});

const made = () => {
  const removed: string[] = [];
  let now = NOW;
  const store = {
    async remove({ organisation, sha256 }: FileReference) {
      removed.push(`${organisation}/${sha256}`);
    },
  };
  const references = fileReferences(db, store, { now: () => now });
  const claimAt = (reference: FileReference, at: string) => {
    now = at;
    return references.claim(reference);
  };
  return { references, removed, claimAt };
};

describe('references to a stored file', () => {
  it('remove its bytes with the last of them, once', async () => {
    const { references, removed } = made();
    const [one, other] = [referenceTo('a'), referenceTo('a')];
    await references.claim(one);
    await references.record(one);
    await references.claim(other);
    await references.release(one);
    await references.release(one);
    expect(removed).toEqual([]);
    await references.release(other);
    expect(removed).toEqual(['acme/a']);
  });

  it('are of one organisation', async () => {
    const { references, removed } = made();
    const [one, other] = [referenceTo('a'), referenceTo('a', 'globex')];
    await references.record(one);
    await references.record(other);
    await references.release(other);
    expect(removed).toEqual(['globex/a']);
  });

  it('protect bytes whose removal began before their claim', async () => {
    const { references: claims } = made();
    const order: string[] = [];
    const removing = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const references = fileReferences(db, {
      async remove() {
        begun.resolve();
        await removing.promise;
        order.push('removed');
      },
    });
    const [old, fresh] = [referenceTo('a'), referenceTo('a')];
    await references.record(old);
    const released = references.release(old);
    await begun.promise;
    const claimed = claims.claim(fresh).then(() => order.push('claimed'));
    const isSettled = async () => {
      const { rowCount } = await db.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event = 'advisory'`,
      );
      return rowCount === 1 || order.length > 0;
    };
    await until(isSettled, 'the claim that waits');
    removing.resolve();
    await Promise.all([released, claimed]);
    expect(order).toEqual(['removed', 'claimed']);
  });
});

it('keeps its lock for a removal that outlasts the timeout of idle transactions', async () => {
  const idleMaxMs = 1_000;
  const pool = poolOf(database.url, { idle_in_transaction_session_timeout: idleMaxMs });
  const hasOutlasted = async () => {
    const { rowCount } = await db.query(
      `select from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'
         and state_change > clock_timestamp() - make_interval(secs => $1)`,
      [(1.5 * idleMaxMs) / 1_000],
    );
    return rowCount === 0;
  };
  const references = fileReferences(pool, {
    remove: () => until(hasOutlasted, 'the timeout'),
  });
  const one = referenceTo('a');
  await references.record(one);
  await references.release(one);
  await pool.end();
  const { rowCount } = await db.query('select from files.reference');
  expect(rowCount).toBe(0);
});

describe('a claim whose command was refused', () => {
  it('is withdrawn with the bytes, once', async () => {
    const { references, removed } = made();
    const claim = await references.claim(referenceTo('a'));
    await claim.withdraw();
    await claim.withdraw();
    expect(removed).toEqual(['acme/a']);
  });

  it('leaves bytes that another attachment has', async () => {
    const { references, removed } = made();
    const claim = await references.claim(referenceTo('a'));
    await references.record(referenceTo('a'));
    await claim.withdraw();
    expect(removed).toEqual([]);
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ])('keeps the bytes of a claim of the same attachment made %s it', async (_, refused) => {
    const { references, removed } = made();
    const one = referenceTo('a');
    const claims = [await references.claim(one), await references.claim(one)];
    await claims[1 - refused]!.withdraw();
    expect(removed).toEqual([]);
    // The other one is recorded.
    await references.record(one);
    await claims[0]!.withdraw();
    await claims[1]!.withdraw();
    expect(removed).toEqual([]);
  });
});

describe('a sweep', () => {
  const ready = async () => true as const;
  const none = { ready, removeUnfinished: async () => 0 };
  const logger = { warn: () => {} };

  it('removes files without an event after the grace period', async () => {
    const { references, removed, claimAt } = made();
    const [orphan, attached, recent] = [referenceTo('a'), referenceTo('b'), referenceTo('c')];
    await claimAt(orphan, before(FILE_ORPHAN_GRACE_MS + 1));
    await claimAt(attached, before(FILE_ORPHAN_GRACE_MS + 1));
    await claimAt(recent, before(FILE_ORPHAN_GRACE_MS - 1));
    const parts = {
      references,
      files: { ready, removeUnfinished: async () => 3 },
      logger,
      isAttached: async ({ sha256 }: FileReference) => sha256 === 'b',
    };
    expect(await sweepFiles(parts, NOW)).toEqual({ orphans: 1, unfinished: 3 });
    expect(removed).toEqual(['acme/a']);
    expect(await references.claimedBefore(NOW)).toEqual([recent]);
    expect(await sweepFiles(parts, NOW)).toEqual({ orphans: 0, unfinished: 3 });
  });

  it('leaves bytes that another attachment has', async () => {
    const { references, removed, claimAt } = made();
    const [orphan, attached] = [referenceTo('a'), referenceTo('a')];
    await claimAt(orphan, before(FILE_ORPHAN_GRACE_MS + 1));
    await references.record(attached);
    await sweepFiles({ references, files: none, isAttached: async () => false, logger }, NOW);
    expect(removed).toEqual([]);
  });

  it('keeps a claim that is made again meanwhile', async () => {
    const { references, removed, claimAt } = made();
    const one = referenceTo('a');
    await claimAt(one, before(FILE_ORPHAN_GRACE_MS + 1));
    const isAttached = async () => {
      await claimAt(one, NOW);
      return false;
    };
    const parts = { references, files: none, isAttached, logger };
    expect(await sweepFiles(parts, NOW)).toMatchObject({ orphans: 0 });
    expect(removed).toEqual([]);
    const { rows } = await db.query('select claimed_at as at from files.reference');
    expect(rows).toEqual([{ at: new Date(NOW) }]);
  });

  describe('whose oldest claims fail', () => {
    const [unreadable, stuck] = [referenceTo('a'), referenceTo('b')];
    const [attached, orphan] = [referenceTo('c'), referenceTo('d')];
    const removed: string[] = [];
    const references = () =>
      fileReferences(db, {
        async remove({ sha256 }) {
          if (sha256 === stuck.sha256) throw new Error('EACCES: permission denied');
          removed.push(sha256);
        },
      });
    const isAttached = async ({ sha256 }: FileReference) => {
      if (sha256 === unreadable.sha256) throw new UnreadableEvent('TicketOpened', 'changed');
      return sha256 === attached.sha256;
    };
    beforeEach(async () => {
      removed.length = 0;
      for (const [n, one] of [unreadable, stuck, attached, orphan].entries()) {
        const now = () => before(FILE_ORPHAN_GRACE_MS + 10 - n);
        await fileReferences(db, { remove: async () => {} }, { now }).claim(one);
      }
    });

    it('settles the others, names these with their tickets, and tries them again', async () => {
      const warned: object[] = [];
      const parts = {
        references: references(),
        files: { ready, removeUnfinished: async () => 3 },
        isAttached,
        logger: { warn: (fields: object) => void warned.push(fields) },
      };
      expect(await sweepFiles(parts, NOW)).toEqual({ orphans: 1, unfinished: 3 });
      expect(removed).toEqual([orphan.sha256]);
      const failed = [unreadable, stuck];
      expect(warned).toMatchObject(
        failed.map(({ ticketId, sha256 }) => ({ stream: `ticket-${ticketId}`, sha256 })),
      );
      expect(await references().claimedBefore(NOW)).toEqual(failed);
    });

    it('ends at once while the log is away', async () => {
      const away = async () => {
        throw new LogUnavailable('away');
      };
      const parts = { references: references(), files: none, isAttached: away, logger };
      await expect(sweepFiles(parts, NOW)).rejects.toThrow(LogUnavailable);
    });

    it('ends at once while the store of files is away', async () => {
      const files = { ...none, ready: async () => 'away' };
      const parts = { references: references(), files, isAttached, logger };
      await expect(sweepFiles(parts, NOW)).rejects.toThrow('TicketOpened');
      expect(removed).toEqual([]);
    });
  });
});
