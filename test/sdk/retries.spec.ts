/** Uploads and imports are retried as other requests are: `AtriumOptions`. */
import { describe, expect, it } from 'vitest';
import { createAtrium, type Atrium, type Retry } from '../../packages/sdk/src/index.ts';

const ADDED = { attachmentId: 'a' };
const IMPORTED = [{ line: 1, status: 'created', id: 't' }, { summary: {} }];

const upload = ({ attachments }: Atrium) => attachments.add('t', { name: 'a.txt', content: 'a' });
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
    const options = { url: 'http://atrium.test', token: 't', retryBudgetMs: 60_000 };
    await act(createAtrium({ ...options, fetch: failing(6, '0') }));
  });
});
