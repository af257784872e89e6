import { beforeEach, describe, expect, it } from 'vitest';
import { DenialCounts, minuteOf } from '../../../src/identity/keys/denial-counts.ts';

const at = (seconds: number): string =>
  new Date(Date.parse('2026-03-01T09:00:00.000Z') + seconds * 1_000).toISOString();
const minute = at(0);

let counts: DenialCounts;
beforeEach(() => {
  counts = new DenialCounts();
});

const unknown = (sourceIp: string) =>
  ({ sourceIp, reason: 'unknown', organisation: null }) as const;

/** The number of single records for `tries` denials of one source. */
const singles = (sourceIp: string, tries = 8, seconds = 0): number =>
  Array.from({ length: tries }, () => counts.takeSingle(sourceIp, at(seconds))).filter(Boolean)
    .length;

describe('single records', () => {
  it('are five per source and minute', () => {
    expect(singles('192.0.2.1')).toBe(5);
    expect(singles('192.0.2.2')).toBe(5);
    expect(singles('192.0.2.1', 1, 59.999)).toBe(0);
    expect(singles('192.0.2.1', 8, 60)).toBe(5);
  });

  it('can be released', () => {
    singles('192.0.2.1');
    counts.giveBackSingle('192.0.2.1', at(0));
    expect(singles('192.0.2.1')).toBe(1);
  });

  it('released after their minute are ignored', () => {
    singles('192.0.2.1');
    counts.forget(minute);
    counts.giveBackSingle('192.0.2.1', at(0));
    expect(counts.minutes()).toEqual([]);
    expect(singles('192.0.2.1')).toBe(5);
  });

  it('are five in total for all sources beyond the first hundred', () => {
    for (let host = 0; host < 100; host += 1) expect(singles(`10.0.0.${host}`, 1)).toBe(1);
    const beyond = Array.from({ length: 50 }, (_, host) => singles(`10.0.1.${host}`, 1));
    expect(beyond.reduce((sum, taken) => sum + taken, 0)).toBe(5);
    expect(singles('10.0.0.7')).toBe(4);
    counts.giveBackSingle('10.0.1.49', at(0));
    expect(singles('10.0.2.1')).toBe(1);
  });
});

describe('counts', () => {
  it('are kept by source, reason and organisation, with their first and last time', () => {
    counts.count(unknown('192.0.2.1'), at(1));
    counts.count(unknown('192.0.2.1'), at(7));
    counts.count(unknown('192.0.2.2'), at(3));
    counts.count({ ...unknown('192.0.2.3'), reason: 'secret_mismatch' }, at(3));
    counts.count(unknown('192.0.2.3'), at(3));
    const mismatch = { sourceIp: '192.0.2.1', reason: 'secret_mismatch' } as const;
    counts.count({ ...mismatch, organisation: 'acme' }, at(4));
    counts.count({ ...mismatch, organisation: 'globex' }, at(5));
    const one = { sourceIp: '192.0.2.1', count: 1 };
    expect(counts.of(minute)).toEqual([
      { ...unknown('192.0.2.1'), count: 2, firstAt: at(1), lastAt: at(7) },
      { ...one, reason: 'secret_mismatch', organisation: 'acme', firstAt: at(4), lastAt: at(4) },
      { ...one, reason: 'secret_mismatch', organisation: 'globex', firstAt: at(5), lastAt: at(5) },
      { ...unknown('192.0.2.2'), count: 1, firstAt: at(3), lastAt: at(3) },
      {
        ...unknown('192.0.2.3'),
        reason: 'secret_mismatch',
        count: 1,
        firstAt: at(3),
        lastAt: at(3),
      },
      { ...unknown('192.0.2.3'), count: 1, firstAt: at(3), lastAt: at(3) },
    ]);
  });

  it('name no source beyond the first hundred, but include its denials', () => {
    for (let host = 0; host < 300; host += 1) counts.count(unknown(`10.0.${host}.1`), at(host / 9));
    const kept = counts.of(minute);
    expect(kept).toHaveLength(101);
    expect(kept.filter(({ sourceIp }) => sourceIp === null)).toMatchObject([{ count: 200 }]);
    counts.count(unknown('10.0.99.1'), at(59));
    expect(counts.of(minute).find(({ sourceIp }) => sourceIp === '10.0.99.1')?.count).toBe(2);
  });

  it('of one minute are separate from those of the next', () => {
    counts.count(unknown('192.0.2.1'), at(59.999));
    counts.count(unknown('192.0.2.1'), at(60));
    expect(counts.minutes()).toEqual([minute, at(60)]);
    counts.forget(minute);
    expect(counts.minutes()).toEqual([at(60)]);
    expect(counts.of(minute)).toEqual([]);
    expect(counts.of(at(60))).toHaveLength(1);
  });
});

it('a minute starts by the platform clock', () => {
  expect(minuteOf('2026-03-01T09:00:00.000Z')).toBe('2026-03-01T09:00:00.000Z');
  expect(minuteOf('2026-03-01T09:00:59.999Z')).toBe('2026-03-01T09:00:00.000Z');
});
