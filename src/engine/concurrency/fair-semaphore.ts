/**
 * Permits bounded per caller, per organisation and in total. The bound of an organisation is below
 * the total, so that no organisation can starve another. contract.md section 1.
 */
import { increment } from './counts.ts';

export interface FairSemaphoreBounds {
  readonly ofCaller: number;
  readonly ofOrganisation: number;
  readonly inAll: number;
  /** How long a caller waits for a permit. Default 0: it is refused at once. */
  readonly waitMs?: number;
}

export interface PermitHolder {
  readonly caller: string;
  /** `null`: callers without an organisation share one bound. */
  readonly organisation: string | null;
}

export interface FairSemaphore {
  /**
   * Resolves with the idempotent function that releases the permit. Waiting callers are served in
   * FIFO order, skipping those whose own caller or organisation is at its bound.
   *
   * @param signal Ends the wait: rejects with its reason.
   * @throws {@link NoPermit}
   */
  acquire(holder: PermitHolder, signal?: AbortSignal): Promise<() => void>;
}

/** `of` says which bound is reached. */
export class NoPermit extends Error {
  override name = 'NoPermit';
  readonly of: 'caller' | 'organisation' | 'all';

  constructor(of: NoPermit['of']) {
    super(`all permits ${SCOPES[of]} are in use`);
    this.of = of;
  }
}

const SCOPES = {
  caller: 'of this caller',
  organisation: 'of this organisation',
  all: 'in total',
};

interface Waiting {
  readonly holder: PermitHolder;
  readonly grant: () => void;
}

export const fairSemaphore = (bounds: FairSemaphoreBounds): FairSemaphore => {
  const { ofCaller, ofOrganisation, inAll, waitMs = 0 } = bounds;
  const callers = new Map<string, number>();
  const organisations = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let held = 0;

  const reachedBound = ({ caller, organisation }: PermitHolder): NoPermit['of'] | null => {
    const name = organisation ?? NO_ORGANISATION;
    if ((callers.get(nameOf(name, caller)) ?? 0) >= ofCaller) return 'caller';
    if ((organisations.get(name) ?? 0) >= ofOrganisation) return 'organisation';
    return held >= inAll ? 'all' : null;
  };

  const enter = ({ caller, organisation }: PermitHolder): (() => void) => {
    const name = organisation ?? NO_ORGANISATION;
    const leaveCaller = increment(callers, nameOf(name, caller));
    const leaveOrganisation = increment(organisations, name);
    held += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      leaveCaller();
      leaveOrganisation();
      held -= 1;
      for (const next of waiting) {
        if (reachedBound(next.holder) !== null) continue;
        next.grant();
        return;
      }
    };
  };

  /** Resolves once a permit is free. */
  const wait = (holder: PermitHolder, signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.delete(waiter);
      };
      const waiter: Waiting = {
        holder,
        grant() {
          settle();
          resolve(enter(holder));
        },
      };
      const abort = () => {
        settle();
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        settle();
        reject(new NoPermit(reachedBound(holder) ?? 'all'));
      }, waitMs);
      signal?.addEventListener('abort', abort, { once: true });
      waiting.add(waiter);
    });

  /** Bounds the memory of waiting callers per organisation. */
  const isQueueFull = ({ organisation }: PermitHolder): boolean => {
    let own = 0;
    for (const { holder } of waiting) if (holder.organisation === organisation) own += 1;
    return own >= ofOrganisation * WAITING_PER_PERMIT_MAX;
  };

  return {
    async acquire(holder, signal) {
      signal?.throwIfAborted();
      const of = reachedBound(holder);
      if (of === null) return enter(holder);
      if (waitMs === 0 || isQueueFull(holder)) throw new NoPermit(of);
      return wait(holder, signal);
    },
  };
};

const WAITING_PER_PERMIT_MAX = 20;

/** Organisation names are never empty. */
const NO_ORGANISATION = '';

const nameOf = (organisation: string, caller: string): string => `${organisation} ${caller}`;
