/** Appends that are sent together, with all attempts to store them. */
import type { AppendRequest } from '../backend.ts';
import type { Appended } from '../event-store.ts';
import { within } from './calls.ts';

/** The outcome of one request of several that were sent together. */
export type Outcome = Appended | Error;

export interface AppendCall {
  readonly requests: readonly AppendRequest[];
  /** Those that were sent, in this call or in an earlier one with an unknown outcome. */
  readonly sent: Set<AppendRequest>;
  readonly outcomes: Map<AppendRequest, Outcome>;
  readonly givenUpAt: number;
  /** The revision of the journal up to which repeats were searched; -1: not yet, or it is empty. */
  searched: number;
}

/** @param sent Those of `requests` that an earlier call has sent. */
export const appendCall = (
  requests: readonly AppendRequest[],
  { sent, withinMs }: { readonly sent: readonly AppendRequest[]; readonly withinMs: number },
): AppendCall => ({
  requests,
  sent: new Set(sent),
  outcomes: new Map(),
  givenUpAt: performance.now() + withinMs,
  searched: -1,
});

export const leftOf = ({ givenUpAt }: AppendCall): number => givenUpAt - performance.now();

export const waitingOf = ({ requests, outcomes }: AppendCall): AppendRequest[] =>
  requests.filter((request) => !outcomes.has(request));

/** Those that wait for an outcome and may already be stored. */
export const repeatsOf = (call: AppendCall): AppendRequest[] =>
  waitingOf(call).filter((request) => call.sent.has(request));

/**
 * While a call repeats appends to a journal, no other call of this process appends to it. A repeat
 * is sent at the tail up to which its events were looked for; if others moved that tail all the
 * time, it would be refused until its deadline, and the caller's retry again.
 */
export class RepeatTurns {
  /** By the journal. */
  readonly #repeating = new Map<string, Turn>();

  /** Waits until `call` may append. @throws `NoAnswer` at its deadline. */
  async begin(journal: string, call: AppendCall): Promise<void> {
    for (;;) {
      const turn = this.#repeating.get(journal);
      if (turn?.of === call) return;
      if (!turn) {
        const isRepeat = repeatsOf(call)[0]?.expected === 'any';
        if (isRepeat) this.#repeating.set(journal, { of: call, ...Promise.withResolvers<void>() });
        return;
      }
      await within(leftOf(call), turn.promise);
    }
  }

  /** Idempotent; does nothing for a call that has no turn. */
  end(journal: string, call: AppendCall): void {
    const turn = this.#repeating.get(journal);
    if (turn?.of !== call) return;
    this.#repeating.delete(journal);
    turn.resolve();
  }
}

interface Turn {
  readonly of: AppendCall;
  readonly promise: Promise<void>;
  resolve(): void;
}
