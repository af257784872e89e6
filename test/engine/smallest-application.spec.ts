import { expect, it } from 'vitest';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { systemClock, virtualClock } from '../../src/engine/time/clock.ts';
import { emptyDatabase } from '../support/postgres/database.ts';
import { text } from '../support/sources.ts';
import { until } from '../support/until.ts';
import { reminderApplication } from './smallest-application.ts';

const HOUR_MS = 3_600_000;

it('records a reminder, lists it, and rings when it is due, after a restart too', async () => {
  const { url: databaseUrl, drop } = await emptyDatabase();
  const clock = virtualClock(systemClock);
  const start = () => reminderApplication({ databaseUrl, clock, logger: loggerOf('silent') });
  const dueAt = new Date(Date.parse(clock.now()) + HOUR_MS).toISOString();

  const before = await start();
  await before.remind('milk', 'Buy milk', dueAt, 'ana');
  expect(await before.list()).toEqual([{ id: 'milk', text: 'Buy milk', dueAt }]);
  await expect(before.remind('bread', 'Buy bread', clock.now(), 'ana')).rejects.toThrow(
    'A reminder must be in the future.',
  );
  await before.stop();

  clock.moveTo(HOUR_MS);
  const after = await start();
  await until(async () => (await after.list())[0]?.dueAt === null, 'the ring');
  expect(await after.list()).toEqual([{ id: 'milk', text: 'Buy milk', dueAt: null }]);
  await after.stop();
  await drop();
});

it("is the code in the engine's README", async () => {
  const block = `\`\`\`ts\n${text('test/engine/smallest-application.ts')}\`\`\``;
  const printed = text('src/engine/README.md').replace(/```ts\n.*?```/s, () => block);
  await expect(printed).toMatchFileSnapshot('../../src/engine/README.md');
});

it('depends only on the engine', () => {
  const imports = text('test/engine/smallest-application.ts').matchAll(/ from '([^']+)'/g);
  const strays = [...imports]
    .map(([, from]) => from!)
    .filter((from) => from !== 'zod' && !from.startsWith('../../src/engine/'));
  expect(strays).toEqual([]);
});
