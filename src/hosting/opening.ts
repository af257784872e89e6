/** Finds and opens the sandbox at an address, for callers who may use it. */
import { notThere, Problem } from '../api/http/problems.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { LogUnavailable } from '../engine/log/event-store.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { isMissingTable, isUnreachable } from '../engine/postgres/errors.ts';
import type { ActiveSandboxes, Used } from './active-sandboxes.ts';
import type { LoopShare } from './loop-share.ts';
import type { Refusal } from './refusals.ts';

export interface OpeningParts {
  /** The sandbox at an address; `null` if there is none. */
  readonly find: (slug: string) => Promise<SandboxView | null>;
  readonly active: Pick<ActiveSandboxes, 'use'>;
  /** A sandbox that is active here, as it was opened; `null`: there is none. */
  readonly activeAt: (slug: string) => ActiveSandbox | null;
  readonly logger: Logger;
}

export interface ActiveSandbox {
  readonly sandbox: SandboxView;
  /** Its share of the event loop. */
  readonly share: LoopShare;
}

export interface Opening {
  readonly slug: string;
  /**
   * Why the caller is refused there; `null`: the caller has access.
   *
   * @param isLast No check by the sandbox follows: the use of a key is recorded. Default: false.
   */
  readonly refusal: (sandbox: SandboxView | null, isLast?: boolean) => Promise<Problem | null>;
  readonly what: 'request' | 'connection';
  /** Whether another process has passed it on, which is done once. */
  readonly isPassedOn: boolean;
}

/** The process that hosts it. */
export interface Host {
  readonly address: string;
  /** The refusal if it cannot be reached, which it logs. */
  away(error: Error): Promise<Refusal>;
}

export interface Openings {
  /**
   * The sandbox, held until `release`; or the process that hosts it; or the refusal. A caller
   * without access opens none, and gets the same refusal with and without a sandbox.
   */
  open(opening: Opening): Promise<Used | Host | Refusal>;
  /** The refusal after an error of `open`, which it logs. */
  failure(error: unknown, slug: string): Refusal;
}

export const openings = ({ find, active, activeAt, logger }: OpeningParts): Openings => {
  const failure: Openings['failure'] = (error, slug) => {
    const isAway = isUnreachable(error) || isMissingTable(error) || error instanceof LogUnavailable;
    logger[isAway ? 'warn' : 'error']({ err: error, slug }, 'a sandbox could not be woken');
    return {
      problem: isAway
        ? new Problem('UNAVAILABLE', 'The database of the sandbox cannot be reached.')
        : new Problem('INTERNAL', 'bug'),
    };
  };

  /** Only callers who may use the sandbox get `why`, and each use of a key is recorded. */
  const refused = async (
    { refusal }: Opening,
    sandbox: SandboxView,
    why: Refusal,
  ): Promise<Refusal> => {
    const problem = await refusal(sandbox, true);
    return problem ? { problem } : why;
  };

  /** Must be cheap: it reads neither the list of sandboxes nor the log. */
  const refusedBusy = async (opening: Opening): Promise<Refusal | null> => {
    const busy = activeAt(opening.slug);
    const ms = busy?.share.overdrawnMs() ?? 0;
    if (busy === null || ms === 0) return null;
    const detail = 'This sandbox has used up its share of the server. Send fewer requests at once.';
    const problem = new Problem('RATE_LIMITED', detail);
    return refused(opening, busy.sandbox, { problem, retryAfterS: Math.ceil(ms / 1_000) });
  };

  return {
    async open(opening) {
      const { slug, refusal, what, isPassedOn } = opening;
      const busy = await refusedBusy(opening);
      if (busy) return busy;
      const sandbox = await find(slug);
      const problem = await refusal(sandbox);
      if (problem) return { problem };
      if (!sandbox) return { problem: notThere() };
      if (sandbox.status !== 'ready') {
        const detail = `This sandbox is ${sandbox.status}.`;
        return { problem: new Problem('SANDBOX_NOT_READY', detail), status: 503 };
      }
      const found = await active.use(sandbox, what).catch((error: unknown) => failure(error, slug));
      if ('problem' in found) return refused(opening, sandbox, found);
      if (!('address' in found)) return found;
      const { address } = found;
      // A second hop would only mean that the other process has older information, or that the
      // sandbox is changing hands.
      if (address === null || isPassedOn) return refused(opening, sandbox, unreached);
      return {
        address,
        async away(error) {
          logger.warn({ err: error, slug }, 'a request could not be passed on');
          return refused(opening, sandbox, unreached).catch((unrecorded: unknown) =>
            failure(unrecorded, slug),
          );
        },
      };
    },

    failure,
  };
};

const unreached: Refusal = {
  problem: new Problem('UNAVAILABLE', 'The process that hosts the sandbox cannot be reached.'),
};
