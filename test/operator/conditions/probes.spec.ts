/** Background probes: one that fails or hangs loses only its own figures. */
import { afterEach, expect, it } from 'vitest';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import {
  probe,
  probeMetrics,
  runProbes,
  type AnyProbe,
} from '../../../src/operator/conditions/probes.ts';

const DAY_MS = 86_400_000;
let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const running = (
  probes: readonly AnyProbe[],
  over: { readonly firstMs?: number; readonly withinMs?: number; readonly retryMs?: number } = {},
) => {
  const metrics = metricsOf({ process: false });
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  const measured = probeMetrics(metrics);
  const logger = loggerOf('warn', to);
  const stop = runProbes({ probes, measured, logger, firstMs: 0, retryMs: 1, ...over });
  stops.push(stop);
  return {
    stop,
    lines,
    successOf: async (name: string) => {
      const found = new RegExp(`^atrium_probe_success{probe="${name}"} (\\d)$`, 'm');
      return found.exec(await metrics.print())?.[1] ?? null;
    },
    print: () => metrics.print(),
  };
};

/** A probe of `look`, and the figures it publishes. */
const looking = (name: string, look: () => Promise<number>, everyMs = DAY_MS) => {
  const shown: (number | null)[] = [];
  const one = probe({ name, everyMs, look, show: (found) => void shown.push(found) });
  return { one, shown };
};

it('publishes no figure before the first result, and then each result', async () => {
  let count = 0;
  const { one, shown } = looking('a', async () => (count += 1), 1);
  const { successOf } = running([one]);
  await expect.poll(() => shown.slice(0, 4)).toEqual([null, 1, 2, 3]);
  expect(await successOf('a')).toBe('1');
});

it('never runs during a scrape, and not before its time', async () => {
  let count = 0;
  const { one } = looking('a', async () => (count += 1));
  const { print } = running([one], { firstMs: DAY_MS });
  await print();
  await print();
  expect(count).toBe(0);
});

it('that fails loses its figure, is visible, is logged once, and affects no other', async () => {
  let failures = 0;
  const bad = looking('bad', () => {
    failures += 1;
    return Promise.reject(new Error('no way there'));
  });
  const good = looking('good', async () => 1, 1);
  const { successOf, lines } = running([bad.one, good.one]);
  await expect.poll(() => failures).toBeGreaterThan(3);
  await expect.poll(() => good.shown.length).toBeGreaterThan(3);
  expect(await successOf('bad')).toBe('0');
  expect(await successOf('good')).toBe('1');
  expect(new Set(bad.shown)).toEqual(new Set([null]));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ probe: 'bad', msg: 'a probe has failed' });
});

it('that fails after a success is logged again', async () => {
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks === 2) return 5;
    throw new Error('gone');
  };
  const { one, shown } = looking('a', look, 1);
  const { lines } = running([one]);
  await expect.poll(() => looks).toBeGreaterThan(4);
  expect(shown.slice(0, 4)).toEqual([null, null, 5, null]);
  expect(lines).toHaveLength(2);
});

it('that hangs is ended, is not run twice at once, and its late result is dropped', async () => {
  const late = Promise.withResolvers<number>();
  let looks = 0;
  const hanging = looking('hanging', () => {
    looks += 1;
    return looks === 1 ? late.promise : Promise.resolve(2);
  });
  const good = looking('good', async () => 1, 1);
  const { successOf } = running([hanging.one, good.one], { withinMs: 5 });
  await expect.poll(() => successOf('hanging')).toBe('0');
  const before = good.shown.length;
  await expect.poll(() => good.shown.length).toBeGreaterThan(before + 3);
  expect(looks).toBe(1);
  late.resolve(1);
  await expect.poll(() => successOf('hanging')).toBe('1');
  expect(hanging.shown).not.toContain(1);
  expect(hanging.shown.at(-1)).toBe(2);
});

it('stops though a probe hangs', async () => {
  let looks = 0;
  const { one } = looking('a', () => {
    looks += 1;
    return new Promise<never>(() => {});
  });
  const { stop, lines } = running([one]);
  await expect.poll(() => looks).toBe(1);
  await stop();
  await stop();
  expect(lines).toEqual([]);
});
