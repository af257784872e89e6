import { describe, expect, it } from 'vitest';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { turns } from '../../../src/engine/concurrency/turns.ts';

const held = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, resolve, reject };
};

describe('turns', () => {
  it('run one after the other under one name, and at once under another', async () => {
    const inTurn = turns();
    const first = held();
    const ran: string[] = [];
    const waiting = [
      inTurn('a', async () => {
        ran.push('a1');
        await first.promise;
      }),
      inTurn('a', async () => void ran.push('a2')),
      inTurn('b', async () => void ran.push('b1')),
    ];
    await waiting[2];
    expect(ran).toEqual(['a1', 'b1']);
    first.resolve();
    await Promise.all(waiting);
    expect(ran).toEqual(['a1', 'b1', 'a2']);
  });

  it('go on after one that failed for a reason of its own', async () => {
    const inTurn = turns();
    const refused = inTurn('a', () => Promise.reject(new Error('refused')));
    const next = inTurn('a', () => Promise.resolve('done'));
    await expect(refused).rejects.toThrow('refused');
    expect(await next).toBe('done');
  });

  it('reject all that wait when the log cannot be reached, and begin anew after that', async () => {
    const inTurn = turns();
    const away = new LogUnavailable('gone');
    const waiting = [
      inTurn('a', () => Promise.reject(away)),
      ...Array.from({ length: 3 }, () => inTurn('a', () => Promise.resolve('never'))),
    ];
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: away })));
    expect(await inTurn('a', () => Promise.resolve('again'))).toBe('again');
  });
});
