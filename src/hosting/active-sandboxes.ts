import { setTimeout as sleep } from 'node:timers/promises';
import type { Held } from '../engine/consumers/leases.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { systemClock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { LogUnavailable } from '../engine/log/event-store.ts';
import { keyedMutex } from '../engine/concurrency/keyed-mutex.ts';
import { withTimeout } from '../engine/concurrency/timeout.ts';
import { isUnreachable } from '../engine/postgres/errors.ts';
import { SANDBOX_COPY_WAIT_MAX_MS, SANDBOX_QUIET_WAIT_MAX_MS } from './limits.ts';
import type { RemoteHost, Hosted } from './claims.ts';
import type { SandboxInstance } from './instance.ts';
import type { WakeTimes } from './wake-times.ts';

/** The sandboxes that are active in this process, which holds their leases. */
export interface ActiveSandboxes {
  /**
   * The sandbox's instance, opened if necessary and open until `release`; or the address of the
   * process where it is active.
   *
   * @param what Open connections do not delay closing the sandbox; requests do. Default: a request.
   * @throws {@link LogUnavailable} after `close`: another process may take over; if its database
   *   cannot be reached; and if it is being copied for longer than
   *   {@link SANDBOX_COPY_WAIT_MAX_MS}.
   */
  use(sandbox: SandboxView, what?: 'request' | 'connection'): Promise<Used | RemoteHost>;
  /**
   * Runs `work` while the sandbox is closed in every process: after the requests in progress, and
   * before any later one.
   *
   * @returns Whether `work` was run: not while another process hosts the sandbox, or its clock is
   *   being advanced.
   */
  asleep(sandbox: SandboxView, work: () => Promise<void>): Promise<boolean>;
  /** Closes it as {@link asleep} does, and does not reopen it before `claimed` resolves. */
  giveWay(sandboxId: string, claimed: () => Promise<void>): Promise<void>;
  /**
   * Closes it even while it is used.
   *
   * @param before Only a generation before this one. Default `null`: any.
   */
  end(sandboxId: string, before?: number | null): Promise<void>;
  /** Closes sandboxes that were idle for `idleMs` and have no timer due by `until`. */
  closeIdle(idleMs: number, until: Instant): Promise<void>;
  all(): readonly Hosted[];
  close(): Promise<void>;
}

export interface Used {
  readonly instance: SandboxInstance;
  /** Must be called once. */
  release(): void;
}

export interface ActiveSandboxesParts {
  readonly claim: (sandbox: Hosted) => Promise<Held | RemoteHost>;
  /** @param lease Aborts when another process may own the sandbox. */
  readonly open: (sandbox: SandboxView, lease: AbortSignal) => Promise<SandboxInstance>;
  readonly wakeTimes: Pick<WakeTimes, 'put'>;
  readonly logger: Logger;
}

interface Entry extends Hosted {
  readonly instance: SandboxInstance;
  readonly held: Held;
  users: number;
  /** Number of users that are connections, which do not delay closing. */
  connections: number;
  /** Time of last use, by `performance.now()`. */
  usedAt: number;
}

const QUIET_LOOK_MS = 20;

const notHosted = () => new LogUnavailable('sandboxes are not hosted here any more');

/** Rejects also those queued behind it: each of them would wait for the same deadline. */
const unavailable = (error: unknown): never => {
  if (error instanceof LogUnavailable || !isUnreachable(error)) throw error;
  throw new LogUnavailable((error as Error).message, error);
};

/** Opening and closing of one sandbox are serialised. */
export const activeSandboxes = ({
  claim,
  open,
  wakeTimes,
  logger,
}: ActiveSandboxesParts): ActiveSandboxes => {
  const entries = new Map<string, Entry>();
  const mutex = keyedMutex();
  /** By sandbox, resolves when it may be opened again. */
  const sleeps = new Map<string, Promise<unknown>>();
  let stopping = false;

  const warned = (what: string, sandboxId: string) => (error: unknown) =>
    logger.warn({ err: error, sandboxId }, what);

  /** @param next The next due time, if known: stored before another process can take the lease. */
  const closed = async (sandboxId: string, next?: Instant | null) => {
    const entry = entries.get(sandboxId);
    if (!entry) return;
    entries.delete(sandboxId);
    await entry.instance.close().catch(warned('a sandbox did not close by itself', sandboxId));
    if (next !== undefined && !entry.held.signal.aborted)
      await wakeTimes.put(entry, next).catch(warned('it was not noted when to wake', sandboxId));
    await entry.held.release();
  };

  /** `undefined`: it cannot be read, and the next owner determines it. */
  const dueOf = ({ sandboxId, instance }: Entry): Promise<Instant | null | undefined> =>
    instance.wakesAt().catch((error: unknown) => {
      warned('the due time of a sandbox cannot be read', sandboxId)(error);
      return undefined;
    });

  const begun = async (sandbox: SandboxView, held: Held): Promise<Entry> => {
    const { sandboxId, generation } = sandbox;
    const { signal } = held;
    try {
      await wakeTimes.put(sandbox, systemClock.now());
      const instance = await open(sandbox, signal);
      if (stopping) {
        // `close` did not see it, so it is closed here.
        await instance.close().catch(warned('a sandbox did not close by itself', sandboxId));
        throw notHosted();
      }
      const usedAt = performance.now();
      const entry = { sandboxId, generation, instance, held, users: 0, connections: 0, usedAt };
      entries.set(sandboxId, entry);
      const lost = () =>
        mutex
          .run(sandboxId, async () => {
            if (entries.get(sandboxId) === entry) await closed(sandboxId);
          })
          .catch(warned('a sandbox that was lost did not close', sandboxId));
      signal.addEventListener('abort', () => void lost(), { once: true });
      if (signal.aborted) throw new LogUnavailable('its lease was lost while it was opened');
      return entry;
    } catch (error) {
      if (entries.has(sandboxId)) await closed(sandboxId);
      else await held.release();
      throw error;
    }
  };

  const opened = async (sandbox: SandboxView): Promise<Entry | RemoteHost> => {
    if (stopping) throw notHosted();
    const { sandboxId, generation } = sandbox;
    const there = entries.get(sandboxId);
    if (there?.generation === generation && !there.held.signal.aborted) return there;
    await closed(sandboxId);
    const claimed = await claim(sandbox);
    return 'release' in claimed ? begun(sandbox, claimed) : claimed;
  };

  /** Closes it, if it is open, once its requests have ended. */
  const quieted = async (sandboxId: string): Promise<void> => {
    const entry = entries.get(sandboxId);
    if (!entry) return;
    const deadline = performance.now() + SANDBOX_QUIET_WAIT_MAX_MS;
    while (entry.users > entry.connections && performance.now() < deadline)
      await sleep(QUIET_LOOK_MS);
    await closed(sandboxId, await dueOf(entry));
  };

  /** Runs `work` before the sandbox can be opened again. */
  const whileShut = async <Result>(
    sandboxId: string,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const shut = mutex.run(sandboxId, work);
    const over = Promise.allSettled([shut]);
    sleeps.set(sandboxId, over);
    try {
      return await shut;
    } finally {
      if (sleeps.get(sandboxId) === over) sleeps.delete(sandboxId);
    }
  };

  /** Waits until the sandbox may be opened, within the patience of callers. */
  const awake = async (sandboxId: string): Promise<void> => {
    const over = sleeps.get(sandboxId);
    if (!over) return;
    await withTimeout<unknown>(over, SANDBOX_COPY_WAIT_MAX_MS, () => {
      throw new LogUnavailable('the sandbox is being copied');
    });
  };

  return {
    async use({ sandboxId, ...sandbox }, what = 'request') {
      await awake(sandboxId);
      return mutex.run(sandboxId, async () => {
        const entry = await opened({ sandboxId, ...sandbox }).catch(unavailable);
        if ('address' in entry) return entry;
        const connections = what === 'connection' ? 1 : 0;
        entry.users += 1;
        entry.connections += connections;
        return {
          instance: entry.instance,
          release() {
            entry.users -= 1;
            entry.connections -= connections;
            entry.usedAt = performance.now();
          },
        };
      });
    },

    asleep: ({ sandboxId, generation }, work) =>
      whileShut(sandboxId, async () => {
        if (stopping) throw notHosted();
        if (entries.get(sandboxId)?.instance.platform.isAdvancing()) return false;
        await quieted(sandboxId);
        const claimed = await claim({ sandboxId, generation });
        if (!('release' in claimed)) return false;
        try {
          await work();
          return true;
        } finally {
          await claimed.release();
        }
      }),

    giveWay: (sandboxId, claimed) =>
      whileShut(sandboxId, async () => {
        if (entries.get(sandboxId)?.instance.platform.isAdvancing()) return;
        await quieted(sandboxId);
        await claimed();
      }),

    end: (sandboxId, before = null) =>
      mutex.run(sandboxId, async () => {
        const entry = entries.get(sandboxId);
        if (before !== null && entry && entry.generation >= before) return;
        await closed(sandboxId);
      }),

    async closeIdle(idleMs, until) {
      for (const sandboxId of entries.keys())
        await mutex.run(sandboxId, async () => {
          const entry = entries.get(sandboxId);
          if (!entry || entry.users > 0 || performance.now() - entry.usedAt < idleMs) return;
          const due = await dueOf(entry);
          if (!due || due > until) await closed(sandboxId, due);
        });
    },

    all: () =>
      [...entries.values()].map(({ sandboxId, generation }) => ({ sandboxId, generation })),

    async close() {
      stopping = true;
      const last = async (sandboxId: string) => {
        const entry = entries.get(sandboxId);
        if (entry) await closed(sandboxId, await dueOf(entry));
      };
      await Promise.all([...entries.keys()].map((id) => mutex.run(id, () => last(id))));
    },
  };
};
