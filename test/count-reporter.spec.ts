import { expect, it } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { countsOf, lineOf } from './support/count-reporter.ts';

type State = ReturnType<TestCase['result']>['state'];
type Module = Parameters<typeof countsOf>[0][number];

const module = (state: ReturnType<TestModule['state']>, ...tests: State[]): Module => ({
  state: () => state,
  children: {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one member that is read
    allTests: () => tests.map((of) => ({ result: () => ({ state: of }) })) as TestCase[],
  } as TestModule['children'],
});

const line = (modules: Module[], uncaught = 0) => lineOf(countsOf(modules, uncaught));

it('counts tests over all files', () =>
  expect(line([module('passed', 'passed', 'skipped'), module('failed', 'failed', 'passed')])).toBe(
    '2 passed, 1 failed, 1 skipped',
  ));

it('counts a file that does not load as a failure', () =>
  expect(line([module('failed')])).toBe('0 passed, 1 failed, 0 skipped'));

it('counts a hook that throws as a failure, though its tests are only skipped', () =>
  expect(line([module('failed', 'skipped', 'skipped')])).toBe('0 passed, 1 failed, 2 skipped'));

it('counts an error that nobody caught as a failure', () =>
  expect(line([module('passed', 'passed')], 1)).toBe('1 passed, 1 failed, 0 skipped'));

it('counts a test that was cut off as a failure', () =>
  expect(line([module('pending', 'passed', 'pending')])).toBe('1 passed, 1 failed, 0 skipped'));
