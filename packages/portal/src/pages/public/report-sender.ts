/**
 * Sends reports without sign-in, one at a time: each is stored before it is sent, and retried
 * under one `Idempotency-Key` until there is an answer, also by a later visit of the page. Lost
 * connections, a server that stops and two open tabs thus make one ticket. docs/decisions/0106.
 */
import { AtriumError, isPassing } from '../../../../sdk/src/problems.ts';
import { backoffMs, retryAfterMs } from '../../../../sdk/src/retries.ts';
import { keptValues, type KeptIn } from '../../kept.ts';
import type { ProofSource } from './proof.ts';
import type { NewReport, Reported } from './requests.ts';

export const REPORTS_KEPT_MAX = 10;
export const REPORT_LENGTH_MAX = 60_000;

/** Upper bound of `Retry-After`: a timer of 25 days or more would end at once. */
const RETRY_AFTER_MAX_MS = 24 * 60 * 60 * 1_000;
/** Refused proofs after which the report waits like after any other failure. */
const PROOFS_MAX = 3;

export type Sending =
  | { readonly is: 'nothing' }
  | { readonly is: 'sending'; readonly report: NewReport }
  /** Not accepted yet; `problem` is the server's answer to the last attempt, if there was one. */
  | {
      readonly is: 'waiting';
      readonly report: NewReport;
      readonly problem: AtriumError | null;
      /** False if the browser could not store it: it is lost with this page. */
      readonly isKept: boolean;
    }
  /** Refused for good. */
  | { readonly is: 'refused'; readonly report: NewReport; readonly problem: AtriumError }
  | { readonly is: 'sent'; readonly reported: Reported };

export interface ReportSender {
  readonly now: () => Sending;
  /** Reports of earlier pages that were accepted before the one that `now` shows. */
  readonly earlier: () => readonly Reported[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly add: (report: NewReport) => void;
  /** Retries at once, for example when the connection may be restored. */
  readonly wake: () => void;
  /** Discards the waiting report. */
  readonly discard: () => void;
  /** Clears a sent or refused report, for a new one. */
  readonly clear: () => void;
}

export interface ReportSenderParts {
  readonly send: (report: NewReport, key: string, proof: string | null) => Promise<Reported>;
  readonly proofs: ProofSource;
  readonly keptIn?: KeptIn;
  /** Milliseconds until the next attempt. Only tests replace it. */
  readonly retryMs?: (attempt: number, problem: AtriumError | null) => number;
}

/** A clock that is fast makes a date of `Retry-After` a past one: the backoff is the minimum. */
const laterMs = (attempt: number, problem: AtriumError | null): number =>
  Math.max(backoffMs(attempt), askedDelayMs(problem) ?? 0);

/** The server's `Retry-After`; `null` without it. */
export const askedDelayMs = (problem: AtriumError | null): number | null => {
  const afterMs = problem && retryAfterMs(problem.response);
  return afterMs === null ? null : Math.min(RETRY_AFTER_MAX_MS, afterMs);
};

/** Starts with the reports that earlier pages have left, the oldest first. */
export const reportSender = ({
  send,
  proofs,
  keptIn,
  retryMs = laterMs,
}: ReportSenderParts): ReportSender => {
  const bounds = { max: REPORTS_KEPT_MAX, lengthMax: REPORT_LENGTH_MAX };
  const kept = keptValues('atrium.report:', ['nobody'], bounds, keptIn);
  const listeners = new Set<() => void>();
  let sending: Sending = { is: 'nothing' };
  /** The report in flight, until it is accepted, refused or discarded. */
  let current: { readonly key: string; readonly report: NewReport; isKept: boolean } | null = null;
  let accepted: readonly Reported[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let isUnderWay = false;

  const show = (next: Sending) => {
    sending = next;
    listeners.forEach((listener) => listener());
  };

  const withProof = async (report: NewReport, key: string): Promise<Reported> => {
    for (let refused = 1; ; refused += 1) {
      try {
        return await send(report, key, await proofs.take());
      } catch (error) {
        if (!AtriumError.is(error, 'PROOF_REQUIRED') || refused >= PROOFS_MAX) throw error;
      }
    }
  };

  const settle = (key: string, next: Sending) => {
    kept.remove(key);
    if (current?.key !== key) return;
    current = null;
    if (next.is === 'sent') accepted = [...accepted, next.reported];
    show(next);
  };

  const attemptNow = async (): Promise<void> => {
    if (current === null || isUnderWay) return;
    clearTimeout(timer);
    const { key, report, isKept } = current;
    isUnderWay = true;
    show({ is: 'sending', report });
    try {
      const reported = await withProof(report, key);
      settle(key, { is: 'sent', reported });
    } catch (error) {
      const problem = AtriumError.is(error) ? error : null;
      if (problem !== null && !mayPass(problem)) settle(key, { is: 'refused', report, problem });
      else if (current?.key === key) {
        show({ is: 'waiting', report, problem, isKept });
        timer = setTimeout(() => void attemptNow(), retryMs(attempt, problem));
        attempt += 1;
      }
    } finally {
      isUnderWay = false;
    }
    // It was discarded meanwhile, and another one added.
    if (current !== null && current.key !== key) return attemptNow();
    beginLeft();
  };

  const begin = (key: string, report: NewReport) => {
    current = { key, report, isKept: kept.write(key, report) === 'kept' };
    attempt = 0;
    void attemptNow();
  };

  /** A refused report is changed in the form first. */
  const beginLeft = () => {
    if (current !== null || isUnderWay || sending.is === 'refused') return;
    const [oldest] = kept
      .names()
      .flatMap((key) => {
        const found = kept.read<NewReport>(key);
        return found === null ? [] : [{ key, at: found.at, report: found.content }];
      })
      .toSorted((a, b) => a.at - b.at);
    if (oldest !== undefined) begin(oldest.key, oldest.report);
  };
  beginLeft();

  return {
    now: () => sending,
    earlier: () => (sending.is === 'sent' ? accepted.slice(0, -1) : accepted),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (report) => begin(crypto.randomUUID(), report),
    wake: () => void attemptNow(),
    discard() {
      clearTimeout(timer);
      if (current !== null) settle(current.key, { is: 'nothing' });
      beginLeft();
    },
    clear() {
      accepted = [];
      show({ is: 'nothing' });
      beginLeft();
    },
  };
};

/** Whether a retry of the same request may succeed. */
const mayPass = (problem: AtriumError): boolean =>
  isPassing(problem) || problem.status === 500 || problem.code === 'PROOF_REQUIRED';
