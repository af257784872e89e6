/** Retries of requests, files and imports alike: `AtriumOptions`. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAtrium, type Atrium, type Retry } from '../../packages/sdk/src/index.ts';

const ADDED = { attachmentId: 'a' };
const IMPORTED = [{ line: 1, status: 'created', id: 't' }, { summary: {} }];

const upload = ({ attachments }: Atrium) => attachments.add('t', { name: 'a.txt', content: 'a' });
const downloaded = ({ attachments }: Atrium) => attachments.download('t', 'a');
const read = ({ GET }: Atrium) => GET('/api/v1/buildings');
const imported = ({ transfers }: Atrium) => Array.fromAsync(transfers.importTickets(['{}']));

/** The first answers are 503 with `Retry-After`; then it works. */
const failing = (times: number, retryAfter: string) => {
  let sent = 0;
  return async ({ url }: Request) => {
    sent += 1;
    if (sent <= times)
      return Response.json(
        { code: 'UNAVAILABLE', status: 503, title: 'x' },
        { status: 503, headers: { 'retry-after': retryAfter } },
      );
    if (!url.includes('/import')) return Response.json(ADDED, { status: 201 });
    return new Response(IMPORTED.map((line) => JSON.stringify(line)).join('\n'));
  };
};

describe.each([
  ['an upload', upload, 'attachments'],
  ['an import', imported, 'import'],
])('%s', (_, act, path) => {
  it('waits as long as the server asks, and reports the pause', async () => {
    const retries: Retry[] = [];
    const onRetry = (retry: Retry) => void retries.push(retry);
    const fetch = failing(1, '1');
    const began = performance.now();
    await act(createAtrium({ url: 'http://atrium.test', token: 't', fetch, onRetry }));
    expect(performance.now() - began).toBeGreaterThan(950);
    expect(retries).toEqual([
      {
        method: 'POST',
        path: expect.stringContaining(path),
        attempt: 1,
        delayMs: expect.any(Number),
        reason: expect.objectContaining({ code: 'UNAVAILABLE' }),
      },
    ]);
    expect(retries[0]!.path).not.toContain('{');
    expect(retries[0]!.delayMs).toBeGreaterThanOrEqual(1_000);
  });

  it('gives up where the pause is beyond retryBudgetMs', async () => {
    const options = { url: 'http://atrium.test', token: 't', retryBudgetMs: 300 };
    const began = performance.now();
    const acting = act(createAtrium({ ...options, fetch: failing(2, '60') }));
    await expect(acting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('outlasts more failures than retries within retryBudgetMs', async () => {
    vi.useFakeTimers();
    const options = { url: 'http://atrium.test', token: 't', retryBudgetMs: 60_000 };
    const acting = act(createAtrium({ ...options, fetch: failing(6, '0') }));
    await vi.advanceTimersByTimeAsync(60_000);
    await acting;
  });
});

afterEach(() => void vi.useRealTimers());

it.each([
  ['a read', read],
  ['an upload', upload],
  ['a download', downloaded],
  ['an import', imported],
])('%s is sent again as often as `retries` says', async (_, act) => {
  vi.useFakeTimers();
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return new Response(null, { status: 503 });
  };
  const options = { url: 'http://atrium.test', token: 't', retries: 2, fetch };
  const failed = act(createAtrium(options)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failed).toMatchObject({ status: 503 });
  expect(sent).toBe(3);
});

describe('a follower', () => {
  /** Follows a server that answers 503 with `Retry-After` for `ms`. @returns Each pause. */
  const following = async (retryAfter: string, ms: number) => {
    vi.useFakeTimers();
    const began = performance.now();
    const pauses: number[] = [];
    const fetch = async () =>
      performance.now() - began < ms
        ? new Response(null, { status: 503, headers: { 'retry-after': retryAfter } })
        : Response.json({ items: [], nextCursor: '1', caughtUp: true });
    const onRetry = ({ delayMs }: Retry) => void pauses.push(delayMs);
    const atrium = createAtrium({ url: 'http://atrium.test', token: 't', fetch, onRetry });
    const page = atrium.changes().next();
    const outcome = page.then(({ value }) => value?.cursor).catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(120_000);
    return { pauses, outcome: await outcome };
  };

  it.each(['0', 'Wed, 21 Oct 2015 07:28:00 GMT', '1.5', '-1', '5, 5', 'soon'])(
    'waits longer from failure to failure after Retry-After: %s',
    async (retryAfter) => {
      const { pauses, outcome } = await following(retryAfter, 10_000);
      expect(outcome).toBe('1');
      for (const [index, pauseMs] of pauses.entries())
        expect(pauseMs).toBeGreaterThanOrEqual(125 * 2 ** index);
    },
  );

  it('outlasts a restart for which the server asks for its whole budget', async () => {
    const { pauses, outcome } = await following('60', 59_000);
    expect(outcome).toBe('1');
    expect(pauses).toHaveLength(1);
  });

  it('ends where the server asks for more than two minutes', async () => {
    const { pauses, outcome } = await following('121', 1_000);
    expect(outcome).toMatchObject({ status: 503 });
    expect(pauses).toEqual([]);
  });

  it('does not ask without a pause where the wait is not kept', async () => {
    vi.useFakeTimers();
    let sent = 0;
    const ended = new AbortController();
    const fetch = async () => {
      sent += 1;
      // A follower that does not pause leaves no turn to the timers.
      if (sent === 10) ended.abort();
      return Response.json({ items: [], nextCursor: '1', caughtUp: true });
    };
    const atrium = createAtrium({ url: 'http://atrium.test', token: 't', fetch });
    const page = atrium.changes({ after: '1', signal: ended.signal }).next();
    await vi.advanceTimersByTimeAsync(1_000);
    ended.abort();
    await page;
    expect(sent).toBeLessThan(10);
  });
});

it('an attempt has no limit with an endless `timeoutMs`', async () => {
  const fetch = async () => Response.json({ items: [] });
  const options = { url: 'http://atrium.test', fetch, timeoutMs: Number.POSITIVE_INFINITY };
  expect((await read(createAtrium(options))).data.items).toEqual([]);
});
