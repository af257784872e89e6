/**
 * One line for machines at the end of a run: `N passed, N failed, N skipped`.
 *
 * A file that does not load, a hook that throws and an uncaught error count as one failure each:
 * an incomplete run must not look like one that passed. With `COUNT_FILE` set
 * the line goes into that file, for a script that adds up several runs, followed by one line
 * `FAILED file > test: message` for each failure, so that the end of a long log names them.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const countLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

interface CountedError {
  message: string;
}

/** The part of a vitest {@link TestModule} that is counted. */
export interface CountedFile {
  relativeModuleId: string;
  state(): string;
  errors(): readonly CountedError[];
  children: {
    allTests(): Iterable<{
      fullName: string;
      result(): {
        state: 'passed' | 'failed' | 'skipped' | 'pending';
        errors?: readonly CountedError[] | undefined;
      };
    }>;
  };
}

interface Summary {
  counts: Counts;
  /** One line for each failure. */
  failures: string[];
}

const failureLine = (where: string, errors: readonly CountedError[] | undefined): string =>
  `FAILED ${where}: ${errors?.[0]?.message.split('\n', 1)[0] ?? 'did not finish'}`;

export const summaryOf = (
  modules: readonly CountedFile[],
  uncaught: readonly CountedError[],
): Summary => {
  const counts: Counts = { passed: 0, failed: uncaught.length, skipped: 0 };
  const failures = uncaught.map((error) => failureLine('outside of a test', [error]));
  for (const module of modules) {
    const file = module.relativeModuleId;
    const failedBefore = counts.failed;
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      // A test without a result was interrupted, which counts as failed.
      const counted = state === 'pending' ? 'failed' : state;
      counts[counted] += 1;
      if (counted === 'failed') failures.push(failureLine(`${file} > ${test.fullName}`, errors));
    }
    if (module.state() === 'failed' && counts.failed === failedBefore) {
      counts.failed += 1;
      failures.push(failureLine(file, module.errors()));
    }
  }
  return { counts, failures };
};

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly CountedError[]) {
    const { counts, failures } = summaryOf(modules, uncaught);
    const line = countLine(counts);
    const file = process.env['COUNT_FILE'];
    if (file) writeFileSync(file, `${[line, ...failures].join('\n')}\n`);
    else process.stdout.write(`${line}\n`);
  }
}
