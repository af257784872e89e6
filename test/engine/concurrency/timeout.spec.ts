import { describe, expect, it } from 'vitest';
import { withTimeout } from '../../../src/engine/concurrency/timeout.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';

const never = () => new Promise<never>(() => {});

describe('a timeout', () => {
  it('returns the result of work that ends in time', async () =>
    expect(await withTimeout(Promise.resolve(1), 1_000, () => 2)).toBe(1));

  it('returns the fallback where the work is late', async () =>
    expect(await withTimeout<number>(never(), 10, () => 2)).toBe(2));

  it('rejects with the error of the work or of the fallback', async () => {
    await expect(withTimeout(Promise.reject(new Error('work')), 10, () => 2)).rejects.toThrow(
      'work',
    );
    const late = () => {
      throw new Error('late');
    };
    await expect(withTimeout(never(), 10, late)).rejects.toThrow('late');
  });
});

describe('the metrics', () => {
  const lag = { name: 'list', version: 1, lagEvents: 3, lagSeconds: 2, parked: 1 };

  it.each([
    ['fails', () => Promise.reject(new Error('gone'))],
    ['does not answer', never],
  ])('are printed without stale lag where reading the lag %s', async (_, broken) => {
    const metrics = metricsOf({ process: false });
    metrics.lagFrom(async () => [lag]);
    const before = await metrics.print();
    expect(before).toContain('atrium_projection_lag_events{projection="list",version="1"} 3');
    expect(before).toContain('atrium_projections_reachable 1');
    metrics.lagFrom(broken);
    const after = await metrics.print();
    expect(after).toContain('atrium_projections_reachable 0');
    expect(after).not.toContain('projection="list"');
  });
});
