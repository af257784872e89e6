/** Loads a page's data when it is shown, and again when its dependencies change. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<Data> {
  /** The latest data; it stays while newer data is loading. */
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** `data` belongs to earlier dependencies: it may be read, not acted on. */
  readonly isStale: boolean;
  readonly reload: () => void;
  /**
   * For polls: reloads unless a load is under way, which a slower answer or the wait for a new
   * sign-in makes longer than the interval.
   *
   * @returns whether it reloads.
   */
  readonly poll: () => boolean;
  /** Replaces `data` with the response of a command. */
  readonly set: (data: Data) => void;
}

interface State<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** The dependencies that `data` was loaded for. */
  readonly answers: readonly unknown[];
}

/** @param asks The dependencies of the request: a change loads again. */
export const useLoaded = <Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  asks: readonly unknown[],
): Loaded<Data> => {
  const [state, setState] = useState<State<Data>>({
    data: undefined,
    error: undefined,
    isLoading: true,
    answers: asks,
  });
  const [times, setTimes] = useState(0);
  // A layout effect: asked before the page is drawn, and marked as loading as soon as it is stale.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    setState((last) => ({ ...last, error: undefined, isLoading: true }));
    const loaded = async () => {
      try {
        const data = await load(leaving.signal);
        if (!leaving.signal.aborted) {
          setState({ data, error: undefined, isLoading: false, answers: asks });
        }
      } catch (error) {
        if (!leaving.signal.aborted) setState((last) => ({ ...last, error, isLoading: false }));
      }
    };
    void loaded();
    return () => leaving.abort();
  }, [...asks, times]);
  const reload = useCallback(() => setTimes((last) => last + 1), []);
  const isLoading = useRef(true);
  isLoading.current = state.isLoading;
  const poll = useCallback(() => {
    if (isLoading.current) return false;
    reload();
    return true;
  }, []);
  const set = useCallback(
    (data: Data) => setState({ data, error: undefined, isLoading: false, answers: asks }),
    asks,
  );
  const { answers, ...loaded } = state;
  return {
    ...loaded,
    isStale: answers.some((dependency, at) => dependency !== asks[at]),
    reload,
    poll,
    set,
  };
};

export interface Submission {
  readonly submit: () => void;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly clear: () => void;
}

/**
 * The `Idempotency-Key` of a command with this body: the same until the command has succeeded, so
 * that pressing again after a lost answer is the same command.
 */
export type KeyOf = (body?: unknown) => string;

/** A command that is sent by a press, one at a time. */
export const useSubmission = (command: (keyOf: KeyOf) => Promise<void>): Submission => {
  const unanswered = useRef<{ readonly body: string; readonly key: string } | null>(null);
  const keyOf: KeyOf = (body = null) => {
    const text = JSON.stringify(body);
    if (unanswered.current?.body !== text)
      unanswered.current = { body: text, key: crypto.randomUUID() };
    return unanswered.current.key;
  };
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const submit = () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    const send = async () => {
      try {
        await command(keyOf);
        unanswered.current = null;
      } catch (failure) {
        setError(failure);
      }
      setBusy(false);
    };
    void send();
  };
  return { submit, isBusy, error, clear: () => setError(undefined) };
};

/** Calls `call` at an interval, except while the page is hidden. @param everyMs `null`: never. */
export const useEvery = (everyMs: number | null, call: () => void): void => {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) call();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, call]);
};
