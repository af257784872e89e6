/** EventStoreDB as in production: three nodes that elect a leader, and TLS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/time/clock.ts';
import { keyringAnnouncements, keyUseLog } from '../../src/identity/keys/key-use-log.ts';
import {
  GuardMoved,
  LogUnavailable,
  type EventStore,
  type Guard,
} from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { eventstoreProgram } from '../support/eventstoredb/server.ts';
import {
  eventstoreCluster,
  tlsServer,
  type ClusterNode,
  type EventStoreCluster,
  type TlsServer,
} from './support/cluster.ts';
import { loadOf, storedIds } from './support/append-load.ts';
import { guardedLoad } from './support/guarded-load.ts';
import { eventsOf, happened, typesOf } from '../support/log/events.ts';
import { hasOpenssl } from '../support/programs.ts';
import { currentVersions } from '../support/log/keys.ts';
import { until } from '../support/until.ts';

const program = eventstoreProgram();

/** The election of a leader is slow; the tests before those of the cluster run meanwhile. */
let starting: Promise<EventStoreCluster> | null = null;
beforeAll(() => {
  if (!program) return;
  starting = eventstoreCluster(program);
  // The error is handled by the tests that await it.
  starting.catch(() => {});
});
afterAll(async () => (await starting?.catch(() => null))?.release());

describe.skipIf(!program || !hasOpenssl())(
  'a server over TLS (skipped where no program, or no openssl, is on the PATH)',
  () => {
    let server: TlsServer;
    const opened: EventStore[] = [];
    /** @param hosts How often the server is named: with several, a client looks up the leader. */
    const open = (caFile: string, { who = 'admin:changeit', hosts = 1 } = {}): EventStore => {
      const named = Array.from({ length: hosts }, () => server.host).join(',');
      const log = eventstoreDbStore({ url: `esdb://${who}@${named}?tlsCAFile=${caFile}` });
      opened.push(log);
      return log;
    };

    beforeAll(async () => {
      server = await tlsServer(program!);
    });
    afterAll(async () => {
      await Promise.all(opened.map((log) => log.close()));
      await server.release();
    });

    it.each([
      ['alone', 1],
      ['as one of a cluster', 2],
    ])('accepts appends, reads and subscriptions with credentials, named %s', async (_, hosts) => {
      const log = open(server.caFile, { hosts });
      const [key, use] = [`key${hosts}-1`, `use${hosts}-1`];
      const guard: Guard = { stream: key, revision: 0 };
      await log.append(key, 'no_stream', [happened('Issued')]);
      await log.append(use, 'any', [happened('Used')], { guard });
      expect(typesOf(await log.readStream(use))).toEqual(['Used']);
      const seen = eventsOf(log, null, { categories: [`key${hosts}`, `use${hosts}`] });
      expect(typesOf(await seen.next(2))).toEqual(['Issued', 'Used']);
      await seen.stop();
    });

    it('refuses another password', async () => {
      const log = open(server.caFile, { who: 'admin:wrong' });
      await expect(log.head()).rejects.toThrow(
        /^the event log cannot be reached: .*access denied$/,
      );
    });

    it('is not trusted with another CA, as reported in one line', async () => {
      const line = new RegExp(
        `^the event log cannot be reached: the certificate of ${server.host} is refused: ` +
          '[a-z ]+; see tlsCAFile in EVENTSTORE_URL$',
      );
      const calls = [1, 2].flatMap((hosts) => {
        const log = open(server.otherCaFile, { hosts });
        return [log.head(), log.append('s-1', 'any', [happened('A')])];
      });
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({ status: 'rejected', reason: expect.any(LogUnavailable) });
        expect(((call as PromiseRejectedResult).reason as Error).message).toMatch(line);
      }
    });

    it('is not connected to with a missing certificate file', () => {
      expect(() => open('/nowhere/ca.crt')).toThrow(
        'EVENTSTORE_URL names a certificate file that cannot be read',
      );
    });
  },
);

describe.skipIf(!program)('a cluster of three (skipped where no program is on the PATH)', () => {
  let cluster: EventStoreCluster;
  const opened: EventStore[] = [];
  const open = (url: string): EventStore => {
    const log = eventstoreDbStore({ url });
    opened.push(log);
    return log;
  };
  const leader = async (): Promise<ClusterNode> => (await cluster.leader())!;
  /** Resolves when two of the nodes agree that another one leads. */
  const anotherThan = async (node: ClusterNode): Promise<ClusterNode> => {
    await expect
      .poll(async () => (await cluster.leader()) ?? node, { interval: 100 })
      .not.toBe(node);
    return leader();
  };

  beforeAll(async () => {
    cluster = await starting!;
  });
  afterAll(async () => {
    await Promise.all(opened.map((log) => log.close()));
  });

  /** Resolves after further uses and guard changes, which shows that both continue. */
  const moreOf = async ({ acknowledged, changed }: ReturnType<typeof guardedLoad>) => {
    const [uses, changes] = [acknowledged.length + 50, changed.length + 5];
    await until(() => acknowledged.length > uses && changed.length > changes, 'more uses');
  };

  it('accepts appends and reads with any node named: the leader answers', async () => {
    for (const [index, { url }] of cluster.nodes.entries()) {
      const log = open(url);
      const stream = `named-${index}`;
      const { position } = await log.append(stream, 'no_stream', [happened('A')]);
      const guard: Guard = { stream, revision: 0 };
      await log.append(stream, 0, [happened('B')], { guard });
      const moved = log.append(`${stream}-journal`, 'any', [happened('C')], { guard });
      await expect(moved).rejects.toThrow(GuardMoved);
      expect(typesOf(await log.readStream(stream))).toEqual(['A', 'B']);
      expect(log.compare((await log.head()).position, position)).toBeGreaterThan(0);
    }
  });

  it('loses no acknowledged event and continues by itself when its leader is killed', async () => {
    const log = open(cluster.url);
    const follower = open(`${cluster.url}&nodePreference=follower`);
    const categories = ['killed'];
    const { position } = await log.head();
    const readers = [
      eventsOf(log, position, { categories }),
      eventsOf(follower, position, { categories }),
    ];
    const lanes = loadOf(log, 'killed', 16);
    const guarded = guardedLoad(log, open(cluster.url), 'killeduses');
    await until(() => lanes.acknowledged.length > 100, 'appends');

    const killed = await leader();
    await killed.kill();
    const before = lanes.acknowledged.length;
    await expect.poll(() => lanes.acknowledged.length).toBeGreaterThan(before);
    await until(() => lanes.acknowledged.length > before + 100, 'more appends');
    await moreOf(guarded);
    await lanes.stop();
    expect(await guarded.stop()).toEqual({ late: [], lost: [] });

    const ids = await storedIds(log, categories);
    expect(new Set(ids)).toEqual(new Set(lanes.acknowledged));
    expect(ids).toHaveLength(lanes.acknowledged.length);
    for (const reader of readers) {
      expect((await reader.next(ids.length)).map(({ id }) => id)).toEqual(ids);
      await reader.stop();
    }
    await killed.start();
  });

  it('continues with another leader while the former one hangs, and loses no event', async () => {
    const log = open(cluster.url);
    const categories = ['hung'];
    const reader = eventsOf(log, (await log.head()).position, { categories });
    const lanes = loadOf(log, 'hung', 16);
    const guarded = guardedLoad(log, open(cluster.url), 'hunguses');
    const more = async (what: string) => {
      const before = lanes.acknowledged.length;
      await until(() => lanes.acknowledged.length > before + 100, what);
    };
    await more('appends');

    const hung = await leader();
    await hung.freeze();
    await anotherThan(hung);
    await more('appends to another leader');
    await moreOf(guarded);
    await reader.next(lanes.acknowledged.length);
    expect(await log.head()).toMatchObject({ position: expect.any(String) });
    // It then handles the calls that it was sent before.
    hung.thaw();
    await more('appends after it woke up');
    await moreOf(guarded);
    await lanes.stop();
    expect(await guarded.stop()).toEqual({ late: [], lost: [] });

    const ids = await storedIds(log, categories);
    expect(new Set(ids)).toEqual(new Set(lanes.acknowledged));
    // A journal may store an append of unknown outcome twice when it is repeated: two events each.
    const twice = ids.length - lanes.acknowledged.length;
    expect(twice).toBeLessThanOrEqual(2 * lanes.unanswered.length);
    await reader.stop();
    await hung.kill();
    await hung.start();
  });

  it('lets no append pass its guard on a deposed leader that is unaware of it', async () => {
    const deposed = await leader();
    const rest = cluster.nodes.filter((node) => node !== deposed);
    const before = open(deposed.url);
    const guard: Guard = { stream: 'deposed-guard', revision: 0 };
    const family = { category: 'deposeduses', period: '202603' };
    const uses = keyUseLog({ log: before, clock: systemClock, versions: currentVersions });
    const used = (type: string) => before.append('deposed-use', 'any', [happened(type)], { guard });
    const usedShared = (type: string) =>
      uses.record({ journal: 'deposeduses-use', family, event: happened(type), guard });
    await before.append(guard.stream, 'no_stream', [happened('Issued')]);
    await used('Used');
    await usedShared('Used');

    await deposed.freeze();
    await anotherThan(deposed);
    const hosts = rest.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const after = open(`esdb://${hosts}?tls=false`);
    await after.append(guard.stream, 0, [happened('Revoked')]);
    await keyringAnnouncements({ log: after, clock: systemClock }).announce(guard.stream, 1);

    const late = Array.from({ length: 8 }, (_, n) =>
      n % 2 === 0 ? used('UsedLate') : usedShared('UsedLate'),
    );
    deposed.thaw();
    for (const outcome of await Promise.allSettled(late)) {
      expect(outcome.status).toBe('rejected');
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason instanceof GuardMoved || reason instanceof LogUnavailable).toBe(true);
    }
    expect(typesOf(await after.readStream('deposed-use'))).toEqual(['Used']);
    const { events } = await after.readAll(null, { categories: ['deposeduses'], limit: 100 });
    expect(typesOf(events).filter((type) => type.startsWith('Used'))).toEqual(['Used']);
    expect(typesOf(await after.readStream(guard.stream))).toEqual(['Issued', 'Revoked']);
  });
});
