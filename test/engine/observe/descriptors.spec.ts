import { expect, it, onTestFinished } from 'vitest';
import { DESCRIPTORS_WARNING_MS } from '../../../src/engine/limits.ts';
import { watchDescriptors, type Descriptors } from '../../../src/engine/observe/descriptors.ts';

it('logs a shortage once a minute, and its end once', async () => {
  const lines: string[] = [];
  let nowMs = 0;
  let found: Descriptors | null = { open: 90, max: 100 };
  const said = (level: string) => (details: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(details)}`);
  const watch = watchDescriptors({
    logger: { info: said('info'), warn: said('warn') },
    count: async () => found,
    nowMs: () => nowMs,
  });
  onTestFinished(() => watch.stop());
  await watch.look();
  expect(lines).toEqual([]);

  found = { open: 91, max: 100 };
  await watch.look();
  found = { open: null, max: 100 };
  nowMs = DESCRIPTORS_WARNING_MS - 1;
  await watch.look();
  nowMs += 1;
  await watch.look();
  found = { open: 10, max: 100 };
  await watch.look();
  await watch.look();
  expect(lines).toEqual([
    'warn file descriptors are running out {"open":91,"max":100}',
    'warn file descriptors are running out {"open":100,"max":100}',
    'info file descriptors are free again {"open":10,"max":100}',
  ]);
  found = null;
  await watch.look();
  expect(lines).toHaveLength(3);
});
