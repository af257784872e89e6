/** The wait of a start, by readiness polls whose times and reasons the test controls. */
import { afterEach, expect, it, vi } from 'vitest';
import { NOT_READY_NOTICE_MS } from '../../src/operator/limits.ts';
import { whenReady } from '../../src/operator/when-ready.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { readinessError, type ReadinessError } from '../../src/engine/observe/readiness-error.ts';

type Reasons = readonly ReadinessError[];

const built: Reasons = [readinessError('read models are still being built: ticket-list 9')];
const away: Reasons = [readinessError('the event log cannot be reached: refused')];
const never = new AbortController().signal;

afterEach(() => vi.restoreAllMocks());

/** Each poll returns its reasons, and ends at its milliseconds since the start. */
const waited = async (
  looks: readonly (readonly [reasons: Reasons, endsMs: number])[],
  signal = never,
) => {
  let now = 0;
  let next = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const logged: Reasons[] = [];
  const write = (line: string) => logged.push(JSON.parse(line).reasons);
  const reasons = async () => {
    const [found, endsMs] = looks[next++]!;
    now = endsMs;
    return found;
  };
  const isReady = await whenReady({ reasons }, loggerOf('warn', { write }), signal);
  return { isReady, logged, looks: next };
};

it('a start waits until there is no reason against serving', async () => {
  const looks = [
    [built, 1],
    [built, 2],
    [[], 3],
  ] as const;
  expect(await waited(looks)).toEqual({ isReady: true, logged: [], looks: 3 });
});

it('a slow start logs its reasons, and again when they change', async () => {
  const late = NOT_READY_NOTICE_MS;
  const looks = [
    [built, late - 1],
    [built, late],
    [built, late * 2],
    [away, late * 3],
    [[], late * 4],
  ] as const;
  const { isReady, logged } = await waited(looks);
  expect(isReady).toBe(true);
  expect(logged).toEqual([built, away]);
});

it('a start that is stopped while it waits is never ready', async () => {
  const stopping = new AbortController();
  const waiting = waited([[built, 1]], stopping.signal);
  stopping.abort();
  expect(await waiting).toEqual({ isReady: false, logged: [], looks: 1 });
});
