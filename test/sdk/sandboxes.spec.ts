/** Waiting for a sandbox, against a server with scripted answers. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAtrium, SandboxNotReadyError } from '../../packages/sdk/src/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers each request with the next of these, and the last one again; `null` is no answer. */
const serving = (...answers: readonly (object | null)[]) => {
  const requests: Request[] = [];
  const atrium = createAtrium({
    url: 'http://atrium.test',
    token: 't',
    retries: 0,
    fetch: async (request) => {
      const answer = answers[Math.min(requests.push(request), answers.length) - 1];
      if (!answer) throw new TypeError('fetch failed');
      return Response.json({ sandboxId: 'sbx_1', ...answer });
    },
  });
  return { requests, sandboxes: atrium.sandboxes };
};

const provisioning = { status: 'provisioning', progress: { phase: 'building', percent: 40 } };
const ready = { status: 'ready', progress: { phase: 'ready', percent: 100 } };

/** The outcome, once `ms` have passed for who waits. */
const after = async <Result>(ms: number, work: Promise<Result>): Promise<Result> => {
  const held = work.catch((error: unknown) => error as Result);
  await vi.advanceTimersByTimeAsync(ms);
  return held;
};

describe('sandboxes.create', () => {
  it('answers the record as it is, without wait', async () => {
    const { sandboxes, requests } = serving(provisioning);
    expect(await sandboxes.create({ name: 'Trial' })).toMatchObject(provisioning);
    expect(await requests[0]!.json()).toEqual({ name: 'Trial' });
    expect(requests).toHaveLength(1);
  });

  it('polls every five seconds with wait, and reports each state', async () => {
    const { sandboxes, requests } = serving(provisioning, provisioning, provisioning, ready);
    const seen: string[] = [];
    const onProgress = ({ status }: { status: string }) => void seen.push(status);
    const made = sandboxes.create({ name: 'Trial', wait: true, onProgress });
    expect(await after(10_000, made)).toMatchObject(ready);
    expect(seen).toEqual(['provisioning', 'provisioning', 'provisioning', 'ready']);
    expect(await requests[0]!.json()).toEqual({ name: 'Trial' });
    expect(requests.slice(1).map(({ url }) => new URL(url).pathname)).toEqual(
      Array.from({ length: 3 }, () => '/api/v1/sandboxes/sbx_1'),
    );
  });

  it('gives up after 15 minutes, and reports that provisioning continues', async () => {
    const { sandboxes, requests } = serving(provisioning);
    const error = await after(15 * 60_000, sandboxes.create({ name: 'Trial', wait: true }));
    expect(error).toBeInstanceOf(SandboxNotReadyError);
    expect(error).toMatchObject({ sandbox: { status: 'provisioning' } });
    expect(requests.length).toBe(1 + 1 + 15 * 12);
  });

  it("reports the failure's reason", async () => {
    const { sandboxes } = serving(provisioning, { status: 'failed', failureReason: 'disk full' });
    const error = await after(0, sandboxes.create({ name: 'Trial', wait: true }));
    expect(error).toBeInstanceOf(SandboxNotReadyError);
    expect(error).toMatchObject({ message: expect.stringContaining('disk full') });
  });

  it('waits through a restart of the server', async () => {
    const { sandboxes } = serving(provisioning, null, null, ready);
    const made = sandboxes.create({ name: 'Trial', wait: true });
    expect(await after(10_000, made)).toMatchObject(ready);
  });

  it('ends at an abort', async () => {
    const { sandboxes } = serving(provisioning);
    const stop = new AbortController();
    const made = sandboxes.create({ name: 'Trial', wait: true, signal: stop.signal });
    const ended = after(1_000, made);
    stop.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
  });
});
