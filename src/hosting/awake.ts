import type { Instant } from '../domain/decider.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import type { Logger } from '../ops/logging.ts';
import { LogUnavailable } from '../store/event-store.ts';
import { turns } from '../store/turns.ts';
import type { Stack } from './stack.ts';

/** The sandboxes that are awake in this process. */
export interface Awake {
  /**
   * The sandbox's stack, opened where it sleeps. It stays open until `release`.
   *
   * @throws {@link LogUnavailable} once `close` was called: another process may go on.
   */
  use(sandbox: SandboxView): Promise<Used>;
  /** Closes it, whoever uses it. `except`: unless it is of this generation. */
  end(sandboxId: string, except?: number | null): Promise<void>;
  /** Closes those that nobody has used for `idleMs` and that have nothing due by `until`. */
  sleep(idleMs: number, until: Instant): Promise<void>;
  /** The sandboxes that sleep and have something due by `now`. */
  dueBy(now: Instant): readonly string[];
  /** Whether it is known when its next timer is due: it has been awake in this process. */
  knows(sandboxId: string): boolean;
  close(): Promise<void>;
}

export interface Used {
  readonly stack: Stack;
  /** Called once. */
  release(): void;
}

export interface AwakeParts {
  readonly open: (sandbox: SandboxView) => Promise<Stack>;
  readonly logger: Logger;
}

interface Entry {
  readonly stack: Stack;
  users: number;
  /** Of the monotonic clock. */
  usedAt: number;
}

/** Opening, closing and falling asleep of one sandbox come one after the other. */
export const awakeSandboxes = ({ open, logger }: AwakeParts): Awake => {
  const entries = new Map<string, Entry>();
  const wakesAt = new Map<string, Instant | null>();
  const inTurn = turns();
  let stopping = false;

  const closed = async (sandboxId: string) => {
    const entry = entries.get(sandboxId);
    entries.delete(sandboxId);
    await entry?.stack.close().catch((error: unknown) => {
      logger.error({ err: error, sandboxId }, 'a sandbox did not close by itself');
    });
  };

  const opened = async (sandbox: SandboxView): Promise<Entry> => {
    if (stopping) throw new LogUnavailable('sandboxes are not hosted here any more');
    const { sandboxId, generation } = sandbox;
    const there = entries.get(sandboxId);
    if (there?.stack.generation === generation) return there;
    await closed(sandboxId);
    const entry = { stack: await open(sandbox), users: 0, usedAt: performance.now() };
    entries.set(sandboxId, entry);
    wakesAt.set(sandboxId, null);
    return entry;
  };

  return {
    use: (sandbox) =>
      inTurn(sandbox.sandboxId, async () => {
        const entry = await opened(sandbox);
        entry.users += 1;
        return {
          stack: entry.stack,
          release() {
            entry.users -= 1;
            entry.usedAt = performance.now();
          },
        };
      }),

    end: (sandboxId, except = null) =>
      inTurn(sandboxId, async () => {
        if (except !== null && entries.get(sandboxId)?.stack.generation === except) return;
        await closed(sandboxId);
        wakesAt.delete(sandboxId);
      }),

    async sleep(idleMs, until) {
      for (const sandboxId of entries.keys())
        await inTurn(sandboxId, async () => {
          const entry = entries.get(sandboxId);
          if (!entry || entry.users > 0 || performance.now() - entry.usedAt < idleMs) return;
          const due = await entry.stack.wakesAt();
          if (due !== null && due <= until) return;
          wakesAt.set(sandboxId, due);
          await closed(sandboxId);
        });
    },

    dueBy: (now) =>
      [...wakesAt].flatMap(([sandboxId, at]) =>
        at !== null && at <= now && !entries.has(sandboxId) ? [sandboxId] : [],
      ),

    knows: (sandboxId) => wakesAt.has(sandboxId),

    async close() {
      stopping = true;
      await Promise.all([...entries.keys()].map((id) => inTurn(id, () => closed(id))));
    },
  };
};
