/**
 * One line for machines at the end of a run: `N passed, N failed, N skipped`.
 *
 * A file that does not load, a hook that throws and an error nobody caught count as one failure
 * each: a run that lost tests on the way must not look like one that passed. With `COUNT_FILE` set
 * the line goes into that file alone, for a script that has more to add to it.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const countLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** What is asked of a {@link TestModule}. */
export interface CountedFile {
  state(): string;
  children: {
    allTests(): Iterable<{ result(): { state: 'passed' | 'failed' | 'skipped' | 'pending' } }>;
  };
}

export const countsOf = (modules: readonly CountedFile[], uncaught: number): Counts => {
  const counts: Counts = { passed: 0, failed: uncaught, skipped: 0 };
  for (const module of modules) {
    const failedBefore = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test that never came to an end was cut off, which is no way to pass.
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
    if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  return counts;
};

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly unknown[]) {
    const line = `${countLine(countsOf(modules, uncaught.length))}\n`;
    const file = process.env['COUNT_FILE'];
    if (file) writeFileSync(file, line);
    else process.stdout.write(line);
  }
}
