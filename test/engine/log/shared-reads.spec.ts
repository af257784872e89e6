import { expect, it } from 'vitest';
import { SharedReads } from '../../../src/engine/log/shared-reads.ts';

/** Reads that the test answers one by one. */
const held = () => {
  const answers: ((revision: number) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const tails = new SharedReads(
    () =>
      new Promise((resolve, reject) => {
        answers.push(resolve);
        failures.push(reject);
      }),
  );
  return { tails, answers, failures };
};

it('shares one read among waiting callers, none started before their call', async () => {
  const { tails, answers } = held();
  const first = tails.of('keyring-1');
  const later = [tails.of('keyring-1'), tails.of('keyring-1')];
  expect(answers).toHaveLength(1);
  answers[0]!(0);
  expect(await first).toBe(0);
  await expect.poll(() => answers.length).toBe(2);
  const latest = tails.of('keyring-1');
  answers[1]!(1);
  expect(await Promise.all(later)).toEqual([1, 1]);
  await expect.poll(() => answers.length).toBe(3);
  answers[2]!(2);
  expect(await latest).toBe(2);
});

it('shares no read between streams', async () => {
  const { tails, answers } = held();
  const revisions = [tails.of('keyring-1'), tails.of('keyring-2')];
  answers[1]!(7);
  answers[0]!(3);
  expect(await Promise.all(revisions)).toEqual([3, 7]);
});

it('reads again after a failure', async () => {
  const { tails, answers, failures } = held();
  const first = tails.of('keyring-1');
  const later = tails.of('keyring-1');
  failures[0]!(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!(4);
  expect(await later).toBe(4);
});
