/** The lock under which a session is refreshed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { underLock } from '../../packages/cli/src/session/lock.ts';
import { temporaryDirectory } from '../support/directory.ts';

let file: string;
beforeEach(() => {
  file = join(temporaryDirectory('lock'), 'sessions', 'default.json.lock');
});

it('lets one work at a time, and leaves nothing behind', async () => {
  let atWork = 0;
  let most = 0;
  const work = () =>
    underLock(file, async () => {
      most = Math.max(most, ++atWork);
      await new Promise(setImmediate);
      atWork -= 1;
    });
  await Promise.all([1, 2, 3, 4, 5].map(work));
  expect(most).toBe(1);
  expect(readdirSync(join(file, '..'))).toEqual([]);
});

it('is given back by work that fails', async () => {
  const failing = underLock(file, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(existsSync(file)).toBe(false);
});

it('is taken over from a dead command', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  await underLock(file, async () => {});
  writeFileSync(file, `${hostname()} ${child.pid} of-a-dead-command`);
  expect(await underLock(file, async () => 'done')).toBe('done');
  expect(readdirSync(join(file, '..'))).toEqual([]);
});

it('is not taken over from a live one', async () => {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const held = underLock(file, async () => {
    begun.resolve();
    await finished.promise;
    order.push('first');
  });
  await begun.promise;
  const waiting = underLock(file, async () => void order.push('second'));
  finished.resolve();
  await Promise.all([held, waiting]);
  expect(order).toEqual(['first', 'second']);
});
