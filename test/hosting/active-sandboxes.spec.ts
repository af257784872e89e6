/** Waking and suspending a sandbox, interrupted between any two steps. contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leases as leasesIn, type SharedLeases } from '../../src/engine/consumers/leases.ts';
import { migrate } from '../../src/engine/postgres/migrate.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { openDatabase, type Database } from '../../src/engine/postgres/pool.ts';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { activeSandboxes, type ActiveSandboxesParts } from '../../src/hosting/active-sandboxes.ts';
import { claimsOn } from '../../src/hosting/claims.ts';
import { readyToServe, type SandboxInstance } from '../../src/hosting/instance.ts';
import { maintenanceOf } from '../../src/hosting/maintenance.ts';
import { isToBeWoken, wakeTimesIn } from '../../src/hosting/wake-times.ts';
import { LogUnavailable } from '../../src/engine/log/event-store.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { until } from '../support/until.ts';

const logger = loggerOf('silent');
/** When the next timer of the sandbox is due. */
const DUE_AT = '2999-01-01T00:00:00.000Z';
const NEVER = '9999-01-01T00:00:00.000Z';
let database: TestDatabase;
let db: Database;
const opened: SharedLeases[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger });
  await migrate(db.pool, migrations);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await db.close();
  await database.drop();
});

const steps = {
  waking: ['before its lease', 'before its row', 'before its instance'],
  sleeping: ['before it is asked', 'before its instance ends', 'before its row', 'with its row'],
} as const;
type Step = `${'wake' | 'sleep'} ${string}`;

/**
 * A process that hangs at `step`, and `isThere` once it has reached it.
 *
 * @param opens In place of opening an instance; reached as a step is.
 */
const processUntil = (step: Step | null, opens?: ActiveSandboxesParts['open']) => {
  const leases = leasesIn({ db, logger, silentMaxMs: 60_000, address: randomUUID() });
  opened.push(leases);
  let isSleeping = false;
  let isThere = false;
  const at = async (name: string) => {
    if (step !== `${isSleeping ? 'sleep' : 'wake'} ${name}`) return;
    isThere = true;
    await new Promise(() => {});
  };
  const times = wakeTimesIn(db);
  const claim = claimsOn(leases);
  const instance = {
    async wakesAt() {
      isSleeping = true;
      await at('before it is asked');
      return DUE_AT;
    },
    close: () => at('before its instance ends'),
  } as Partial<SandboxInstance> as SandboxInstance;
  const parts: ActiveSandboxesParts = {
    logger,
    async claim(hosted) {
      await at('before its lease');
      return claim(hosted);
    },
    async open(...opening) {
      await at('before its instance');
      isThere ||= opens !== undefined;
      return opens?.(...opening) ?? instance;
    },
    wakeTimes: {
      async put(hosted, wakesAt) {
        await at('before its row');
        await times.put(hosted, wakesAt);
        await at('with its row');
      },
    },
  };
  return { active: activeSandboxes(parts), isThere: () => isThere };
};

/** Has no timer. */
const instanceAsleep = {
  platform: { isAdvancing: () => false },
  wakesAt: async () => null,
  close: async () => {},
} as Partial<SandboxInstance> as SandboxInstance;

const sandbox = { sandboxId: 'sbx_0000000000000000', generation: 1 } as SandboxView;

/** Makes the heartbeat as old as that of a process killed a while ago. */
const dies = () =>
  db.pool.query(`update consumers.heartbeat set beat_at = beat_at - interval '1 hour'`);

/** Another process wakes the sandbox when its timer is due, or earlier on a request. */
const expectNothingLost = async () => {
  await dies();
  const wakeTimes = await wakeTimesIn(db).all();
  expect(isToBeWoken(wakeTimes.get(sandbox.sandboxId), sandbox.generation, DUE_AT)).toBe(true);
  const used = await processUntil(null).active.use(sandbox);
  expect(used).toHaveProperty('instance');
};

describe('a process that is killed', () => {
  it.each(steps.waking)('while it wakes a sandbox, %s: another wakes it', async (at) => {
    const { active, isThere } = processUntil(`wake ${at}`);
    void active.use(sandbox);
    await until(isThere);
    await expectNothingLost();
  });

  it('while a sandbox without a due timer is awake: another wakes it', async () => {
    await wakeTimesIn(db).put(sandbox, null);
    await processUntil(null).active.use(sandbox);
    await expectNothingLost();
  });

  it.each(steps.sleeping)('while it suspends one, %s: another wakes it', async (at) => {
    const { active, isThere } = processUntil(`sleep ${at}`);
    const used = await active.use(sandbox);
    if ('release' in used) used.release();
    void active.closeIdle(0, '2026-01-01T00:00:00.000Z');
    await until(isThere);
    await expectNothingLost();
  });
});

describe('a sandbox', () => {
  it('is awake in one process, whose address others find', async () => {
    const [first, second] = [processUntil(null).active, processUntil(null).active];
    const used = await first.use(sandbox);
    expect(used).toHaveProperty('instance');
    expect(await second.use(sandbox)).toEqual({ address: expect.any(String) });
    if ('release' in used) used.release();
    await first.closeIdle(0, DUE_AT);
    // A timer is due by then, so it stays awake in the first process.
    expect(await second.use(sandbox)).toHaveProperty('address');
    await first.closeIdle(0, '2026-01-01T00:00:00.000Z');
    const wakeTimes = await wakeTimesIn(db).all();
    expect(wakeTimes.get(sandbox.sandboxId)).toEqual({ generation: 1, wakesAt: DUE_AT });
    expect(await second.use(sandbox)).toHaveProperty('instance');
  });

  it('is closed when it ended, if its generation is before the given one', async () => {
    const { active } = processUntil(null);
    await active.use(sandbox);
    await active.end(sandbox.sandboxId, sandbox.generation);
    expect(active.all()).toEqual([{ sandboxId: sandbox.sandboxId, generation: 1 }]);
    await active.end(sandbox.sandboxId, sandbox.generation + 1);
    expect(active.all()).toEqual([]);
  });

  it('has its wake time stored when its process stops', async () => {
    const { active } = processUntil(null);
    await active.use(sandbox);
    await active.close();
    const wakeTimes = await wakeTimesIn(db).all();
    expect(wakeTimes.get(sandbox.sandboxId)?.wakesAt).toBe(DUE_AT);
    expect(await processUntil(null).active.use(sandbox)).toHaveProperty('instance');
    await expect(active.use(sandbox)).rejects.toThrow('any more');
  });

  it('is closed without storing a wake time where its lease is lost', async () => {
    const { active } = processUntil(null);
    await active.use(sandbox);
    await db.pool.query('delete from consumers.lease');
    // The next heartbeat detects the loss; requesting another lease triggers it.
    await active.use({ ...sandbox, sandboxId: 'sbx_1111111111111111' });
    await until(() => active.all().length === 1);
    const wakeTimes = await wakeTimesIn(db).all();
    expect(wakeTimes.get(sandbox.sandboxId)?.wakesAt).not.toBe(DUE_AT);
  });

  it('whose due time cannot be read is closed all the same, and so are others', async () => {
    const wakesAt = () => Promise.reject(new Error('there is no such database'));
    const { active } = processUntil(null, async ({ sandboxId }) =>
      sandboxId === sandbox.sandboxId ? { ...instanceAsleep, wakesAt } : instanceAsleep,
    );
    const other = { ...sandbox, sandboxId: 'sbx_1111111111111111' };
    for (const one of [sandbox, other]) {
      const used = await active.use(one);
      if ('release' in used) used.release();
    }
    await active.closeIdle(0, DUE_AT);
    expect(active.all()).toEqual([]);
    const wakeTimes = await wakeTimesIn(db).all();
    // Another process opens it, to learn when it is due.
    expect(isToBeWoken(wakeTimes.get(sandbox.sandboxId), 1, DUE_AT)).toBe(true);
    expect(isToBeWoken(wakeTimes.get(other.sandboxId), 1, DUE_AT)).toBe(false);

    await active.use(sandbox);
    await active.giveWay(sandbox.sandboxId, async () => {});
    expect(active.all()).toEqual([]);
  });

  it('whose clock is being advanced is closed for no copy, here or elsewhere', async () => {
    let advancing = true;
    const platform = { isAdvancing: () => advancing };
    const { active } = processUntil(
      null,
      async () => ({ ...instanceAsleep, platform }) as SandboxInstance,
    );
    const wake = async () => {
      const used = await active.use(sandbox);
      if ('release' in used) used.release();
    };
    await wake();
    let copies = 0;
    const copy = async () => void (copies += 1);
    expect(await active.asleep(sandbox, copy)).toBe(false);
    await active.giveWay(sandbox.sandboxId, copy);
    expect(copies).toBe(0);
    expect(active.all()).toEqual([{ sandboxId: sandbox.sandboxId, generation: 1 }]);
    advancing = false;
    expect(await active.asleep(sandbox, copy)).toBe(true);
    await wake();
    await active.giveWay(sandbox.sandboxId, copy);
    expect(copies).toBe(2);
    expect(active.all()).toEqual([]);
  });

  it('with a due timer is woken while another takes long to start', async () => {
    const other = { ...sandbox, sandboxId: 'sbx_1111111111111111' };
    const { active } = processUntil(null, ({ sandboxId }) =>
      sandboxId === sandbox.sandboxId ? new Promise(() => {}) : Promise.resolve(instanceAsleep),
    );
    const maintain = maintenanceOf({
      sandboxes: {
        look: async (sandboxId) =>
          ({ view: { ...sandbox, sandboxId, status: 'ready', ended: null } }) as never,
      },
      queries: { ready: async () => [sandbox, other] },
      leases: { owners: async () => new Map(), holderOf: async () => null },
      wakeTimes: wakeTimesIn(db),
      active,
      clock: systemClock,
      logger,
      idleMaxMs: 60_000,
      lookMs: 1_000,
      signal: new AbortController().signal,
    });
    void maintain();
    await until(() => active.all().some(({ sandboxId }) => sandboxId === other.sandboxId));
  });

  it('that was being opened when its process stopped is closed, and refused', async () => {
    const { promise: opening, resolve: open } = Promise.withResolvers<SandboxInstance>();
    const { active, isThere } = processUntil(null, () => opening);
    const used = active.use(sandbox).catch((error: unknown) => error);
    await until(isThere);
    await active.close();
    let closed = 0;
    const close = async () => void (closed += 1);
    open({ close } as Partial<SandboxInstance> as SandboxInstance);
    expect(await used).toBeInstanceOf(LogUnavailable);
    expect(closed).toBe(1);
    expect(active.all()).toEqual([]);
    expect(await processUntil(null).active.use(sandbox)).toHaveProperty('instance');
  });

  it('whose database does not answer is tried once for all that wait for it', async () => {
    const { promise: opening, reject } = Promise.withResolvers<SandboxInstance>();
    let tries = 0;
    const { active, isThere } = processUntil(null, () => {
      tries += 1;
      return opening;
    });
    const uses = Promise.allSettled([active.use(sandbox), active.use(sandbox)]);
    await until(isThere);
    reject(new Error('timeout expired'));
    const refused = { status: 'rejected', reason: expect.any(LogUnavailable) };
    expect(await uses).toMatchObject([refused, refused]);
    expect(tries).toBe(1);
  });

  it('that is not ready in time is tried once for all that wait for it', async () => {
    const app = { inject: async () => ({ statusCode: 503, body: 'no issuer' }) };
    let tries = 0;
    const { active } = processUntil(null, async () => {
      tries += 1;
      await readyToServe({ app: app as never }, 0);
      throw new Error('it is ready');
    });
    const refused = { status: 'rejected', reason: expect.any(LogUnavailable) };
    const uses = Promise.allSettled([active.use(sandbox), active.use(sandbox)]);
    expect(await uses).toMatchObject([refused, refused]);
    expect(tries).toBe(1);
  });

  it('whose stored wake time is of another generation is to be woken', () => {
    const row = { generation: 1, wakesAt: NEVER };
    expect(isToBeWoken(row, 1, DUE_AT)).toBe(false);
    expect(isToBeWoken({ ...row, wakesAt: null }, 1, DUE_AT)).toBe(false);
    expect(isToBeWoken(row, 2, DUE_AT)).toBe(true);
    expect(isToBeWoken(undefined, 1, DUE_AT)).toBe(true);
  });
});
