/** A report without sign-in, from the form to its answer. docs/decisions/0106. */
import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { proofSource, type ProofSource } from '../packages/portal/src/pages/public/proof.ts';
import { askedDelayMs, reportSender } from '../packages/portal/src/pages/public/report-sender.ts';
import type { NewReport, Reported } from '../packages/portal/src/pages/public/requests.ts';
import { AtriumError, type Problem } from '../packages/sdk/src/index.ts';
import { MemoryStorage } from './support/browser/memory-storage.ts';

const report: NewReport = {
  organisation: 'acme',
  buildingId: '6a712747-b16d-562d-8b11-4e04afc2f571',
  description: 'It drips.',
};
const reported: Reported = { number: 'SR-000001', statusUrl: 'https://a.test/report/status#x' };
const problem = (status: number, code: Problem['code'], headers: Record<string, string> = {}) =>
  new AtriumError(
    { type: 'about:blank', title: code, status, code, requestId: 'r' } as Problem,
    new Response(null, { status, headers }),
  );
const broken = new TypeError('fetch failed');

/** A server that answers each attempt with the planned response, else with success. */
const server = (...planned: readonly Error[]) => {
  const plan = [...planned];
  const attempts: { readonly key: string; readonly proof: string | null }[] = [];
  const send = async (_: NewReport, key: string, proof: string | null) => {
    attempts.push({ key, proof });
    const failure = plan.shift();
    if (failure) throw failure;
    return reported;
  };
  return { attempts, send };
};
const proofs = (): ProofSource => {
  let taken = 0;
  return { prepare: () => undefined, take: async () => `proof ${(taken += 1)}` };
};
const opened = (
  storage: MemoryStorage,
  send: ReturnType<typeof server>['send'],
  retryMs: () => number = () => 0,
) => reportSender({ send, proofs: proofs(), keptIn: { storage }, retryMs });
const NEVER_MS = 1_000_000;

describe('a report on its way', () => {
  it('is sent under one key until there is an answer, and then kept no longer', async () => {
    const storage = new MemoryStorage();
    const { attempts, send } = server(
      broken,
      problem(503, 'UNAVAILABLE'),
      problem(500, 'INTERNAL'),
    );
    const sender = opened(storage, send);
    sender.add(report);
    expect(storage.length).toBe(1);
    await expect.poll(sender.now).toEqual({ is: 'sent', reported });
    expect(attempts).toHaveLength(4);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
    expect(storage.length).toBe(0);
  });

  it('is sent by the next page under the key of the one before', async () => {
    const storage = new MemoryStorage();
    const before = server(broken);
    const page = opened(storage, before.send, () => NEVER_MS);
    page.add(report);
    await expect.poll(page.now).toMatchObject({ is: 'waiting', isKept: true, problem: null });
    const after = server();
    const next = opened(storage, after.send);
    await expect.poll(next.now).toEqual({ is: 'sent', reported });
    expect(after.attempts[0]!.key).toBe(before.attempts[0]!.key);
    expect(storage.length).toBe(0);
    page.discard();
  });

  it('is sent with all that earlier pages have left, the oldest first', async () => {
    const storage = new MemoryStorage();
    const leave = (key: string, at: number) =>
      storage.setItem(`atrium.report:["nobody","${key}"]`, JSON.stringify({ at, content: report }));
    leave('second', Date.now());
    leave('first', Date.now() - 1_000);
    const after = server();
    const next = opened(storage, after.send);
    await expect.poll(() => next.earlier().length).toBe(1);
    await expect.poll(next.now).toEqual({ is: 'sent', reported });
    expect(after.attempts.map(({ key }) => key)).toEqual(['first', 'second']);
    expect(storage.length).toBe(0);
    next.clear();
    expect(next.earlier()).toEqual([]);
  });

  it('waits for Retry-After, and is sent immediately on request', async () => {
    const later = problem(429, 'RATE_LIMITED', { 'retry-after': '1800' });
    expect(askedDelayMs(later)).toBe(1_800_000);
    expect(askedDelayMs(problem(503, 'UNAVAILABLE'))).toBeNull();
    const { attempts, send } = server(later);
    const sender = opened(new MemoryStorage(), send, () => NEVER_MS);
    sender.add(report);
    await expect.poll(sender.now).toMatchObject({ is: 'waiting', problem: later });
    sender.wake();
    await expect.poll(sender.now).toMatchObject({ is: 'sent' });
    expect(attempts).toHaveLength(2);
  });

  it.each([
    ['a date', 'Mon, 02 Mar 2026 13:00:00 GMT', 3_600_000],
    ['a date that has passed', 'Mon, 02 Mar 2026 11:00:00 GMT', 250],
    ['seconds beyond the range of a timer', '9999999', 86_400_000],
    ['neither', 'soon', 250],
  ])('waits when Retry-After is %s', async (_, retryAfter, delayMs) => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const later = problem(503, 'UNAVAILABLE', { 'retry-after': retryAfter });
    const { attempts, send } = server(later, later);
    const sender = reportSender({
      send,
      proofs: proofs(),
      keptIn: { storage: new MemoryStorage() },
    });
    sender.add(report);
    await vi.advanceTimersByTimeAsync(delayMs / 2 - 1);
    expect(attempts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(delayMs / 2 + 1);
    expect(attempts).toHaveLength(2);
    sender.discard();
  });

  it('is given back to the form when it is refused for good', async () => {
    const storage = new MemoryStorage();
    const no = problem(400, 'VALIDATION_FAILED');
    const { attempts, send } = server(no);
    const sender = opened(storage, send);
    sender.add(report);
    await expect.poll(sender.now).toEqual({ is: 'refused', report, problem: no });
    expect(attempts).toHaveLength(1);
    expect(storage.length).toBe(0);
  });

  it('uses another proof when the first was used, a bounded number of times', async () => {
    const no = problem(403, 'PROOF_REQUIRED');
    const { attempts, send } = server(no, no, no);
    const sender = opened(new MemoryStorage(), send, () => NEVER_MS);
    sender.add(report);
    await expect.poll(sender.now).toMatchObject({ is: 'waiting' });
    expect(attempts.map(({ proof }) => proof)).toEqual(['proof 1', 'proof 2', 'proof 3']);
    sender.discard();
  });

  it('is gone when it is discarded', async () => {
    const storage = new MemoryStorage();
    const sender = opened(storage, server(broken).send, () => NEVER_MS);
    sender.add(report);
    await expect.poll(sender.now).toMatchObject({ is: 'waiting' });
    sender.discard();
    expect(sender.now()).toEqual({ is: 'nothing' });
    expect(storage.length).toBe(0);
  });
});

describe('a proof', () => {
  const challenges = (lifeMs: number) => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      const expiresAt = new Date(Date.now() + lifeMs).toISOString();
      return { challenge: `challenge ${asked}`, bits: 8, expiresAt };
    };
    return { ask, asked: () => asked };
  };

  it('is computed in advance, and once per report', async () => {
    const { ask, asked } = challenges(600_000);
    const source = proofSource(ask);
    source.prepare();
    source.prepare();
    const [one, other] = [await source.take(), await source.take()];
    expect(asked()).toBe(2);
    expect(one).not.toBe(other);
    for (const proof of [one!, other!])
      expect(createHash('sha256').update(proof).digest()[0]).toBe(0);
  });

  it('is computed anew when it is about to expire', async () => {
    let nowMs = Date.now();
    const { ask, asked } = challenges(600_000);
    const source = proofSource(ask, () => nowMs);
    source.prepare();
    await expect.poll(asked).toBe(1);
    nowMs += 590_000;
    expect(await source.take()).toMatch(/^challenge 2\./);
  });
});
