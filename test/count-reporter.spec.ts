import { summaryOf, countLine, type CountedFile } from './support/count-reporter.ts';
import { expect, it } from 'vitest';

type State = 'passed' | 'failed' | 'skipped' | 'pending';

const file = (state: string, ...tests: State[]): CountedFile => ({
  relativeModuleId: 'test/a.spec.ts',
  state: () => state,
  errors: () => [{ message: 'beforeAll threw' }],
  children: {
    allTests: () =>
      tests.map((of, index) => ({
        fullName: `group > test ${index}`,
        result: () => ({
          state: of,
          errors: of === 'failed' ? [{ message: 'expected 1 to be 2\n  diff' }] : undefined,
        }),
      })),
  },
});

const line = (files: CountedFile[], uncaught: { message: string }[] = []) =>
  countLine(summaryOf(files, uncaught).counts);

it('counts tests over all files', () =>
  expect(line([file('passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')])).toBe(
    '2 passed, 1 failed, 1 skipped',
  ));

it('counts a file that does not load as a failure', () =>
  expect(line([file('failed')])).toBe('0 passed, 1 failed, 0 skipped'));

it('counts a hook that throws as a failure, though its tests are only skipped', () =>
  expect(line([file('failed', 'skipped', 'skipped')])).toBe('0 passed, 1 failed, 2 skipped'));

it('counts an uncaught error as a failure', () =>
  expect(line([file('passed', 'passed')], [{ message: 'thrown' }])).toBe(
    '1 passed, 1 failed, 0 skipped',
  ));

it('counts a test that was cut off as a failure', () =>
  expect(line([file('pending', 'passed', 'pending')])).toBe('1 passed, 1 failed, 0 skipped'));

it('names each failure in one line, with the first line of its message', () =>
  expect(
    summaryOf(
      [file('failed', 'passed', 'failed'), file('failed'), file('pending', 'pending')],
      [{ message: 'thrown' }],
    ).failures,
  ).toEqual([
    'FAILED outside of a test: thrown',
    'FAILED test/a.spec.ts > group > test 1: expected 1 to be 2',
    'FAILED test/a.spec.ts: beforeAll threw',
    'FAILED test/a.spec.ts > group > test 0: did not finish',
  ]));
