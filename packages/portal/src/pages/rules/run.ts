import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AtriumError, type Problem } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useEvery } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import type { Span } from '../buildings/time-scale.ts';
import { plainly } from './problems.ts';
import type { RuleDraft } from './words.ts';

export type FoundFault = Schemas['FoundFault'];

export interface TrialOutcome {
  /** Unique to the trial. */
  readonly key: string;
  readonly rule: RuleDraft;
  readonly span: Span;
  readonly faults: readonly FoundFault[];
}

export interface TrialState {
  readonly run: (rule: RuleDraft, span: Span) => void;
  /** Aborts a running trial, also at the server. */
  readonly stop: () => void;
  readonly result: TrialOutcome | null;
  readonly error: unknown;
  /** Since the running trial began; `null` if none is running. */
  readonly seconds: number | null;
}

/** A trial may take minutes, so its request has no deadline. */
export const useTrial = (buildingId: string): TrialState => {
  const { api } = usePortal();
  const [result, setResult] = useState<TrialOutcome | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const [seconds, setSeconds] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const count = useCallback(() => setSeconds((last) => (last === null ? null : last + 1)), []);
  useEvery(seconds === null ? null : 1_000, count);
  const stop = () => {
    running.current?.abort();
    setSeconds(null);
  };
  const ask = async (rule: RuleDraft, span: Span, signal: AbortSignal) => {
    const [from, to] = [span.from, span.to].map((at) => new Date(at).toISOString());
    const answer = await api.fetch(`/api/v1/buildings/${buildingId}/diagnostic-rules/dry-run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rule, from, to }),
      signal,
    });
    if (!answer.ok) throw new AtriumError((await answer.json()) as Problem, answer);
    return ((await answer.json()) as Schemas['FoundFaultList']).items;
  };
  const run = (rule: RuleDraft, span: Span) => {
    running.current?.abort();
    const leaving = new AbortController();
    running.current = leaving;
    setError(undefined);
    setSeconds(0);
    const end = (then: () => void) => {
      if (leaving.signal.aborted) return;
      setSeconds(null);
      then();
    };
    ask(rule, span, leaving.signal).then(
      (faults) => end(() => setResult({ key: crypto.randomUUID(), rule, span, faults })),
      (failure: unknown) => end(() => setError(plainly(failure))),
    );
  };
  return { run, stop, result, error, seconds };
};
