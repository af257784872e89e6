import { expect, it } from 'vitest';
import { countsOf, countLine, type CountedFile } from './support/count-reporter.ts';

const file = (state: string, ...tests: ('passed' | 'failed' | 'skipped' | 'pending')[]) => ({
  state: () => state,
  children: { allTests: () => tests.map((of) => ({ result: () => ({ state: of }) })) },
});

const line = (files: CountedFile[], uncaught = 0) => countLine(countsOf(files, uncaught));

it('counts tests over all files', () =>
  expect(line([file('passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')])).toBe(
    '2 passed, 1 failed, 1 skipped',
  ));

it('counts a file that does not load as a failure', () =>
  expect(line([file('failed')])).toBe('0 passed, 1 failed, 0 skipped'));

it('counts a hook that throws as a failure, though its tests are only skipped', () =>
  expect(line([file('failed', 'skipped', 'skipped')])).toBe('0 passed, 1 failed, 2 skipped'));

it('counts an error that nobody caught as a failure', () =>
  expect(line([file('passed', 'passed')], 1)).toBe('1 passed, 1 failed, 0 skipped'));

it('counts a test that was cut off as a failure', () =>
  expect(line([file('pending', 'passed', 'pending')])).toBe('1 passed, 1 failed, 0 skipped'));
