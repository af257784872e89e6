/** `.ci/run` as a script: its reruns, and its last lines. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './support/directory.ts';

const PROGRAMS = ['chromium-headless-shell', 'nats-server', 'swift-proxy-server', 'eventstored'];

/** The counts of each test run, in order; the checks after them pass. */
const run = (...counted: readonly (readonly string[])[]) => {
  const directory = temporaryDirectory('ci');
  mkdirSync(join(directory, '.ci'));
  cpSync('.ci/run', join(directory, '.ci/run'));
  const program = (name: string, script: string) =>
    writeFileSync(join(directory, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  for (const name of PROGRAMS) program(name, 'exit 0');
  counted.forEach((lines, n) => writeFileSync(join(directory, `count-${n}`), lines.join('\n')));
  program(
    'npm',
    `cd ${directory}
    case "$*" in ci|*typecheck|*lint|*lint:openapi) exit 0;; esac
    n=$(cat asked 2>/dev/null | wc -l)
    echo "$*" >>asked
    cat "count-$n" >"$COUNT_FILE"
    # One that was ended has counted nothing.
    [ -s "count-$n" ] || exit 124
    ! grep -q '^FAILED' "count-$n"`,
  );
  const { stdout, status } = spawnSync(join(directory, '.ci/run'), {
    env: { PATH: `${directory}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  const asked = readFileSync(join(directory, 'asked'), 'utf8').trim().split('\n');
  return { asked, status, said: stdout.trim().split('\n') };
};

const SCRIPTS = [
  'test',
  'run test:all -- --project rehearsals*',
  'run test:eventstore:contracts --',
] as const;
const FINE = ['5 passed, 0 failed, 1 skipped'];
const failed = (...files: readonly string[]) => [
  `4 passed, ${files.length} failed, 1 skipped`,
  ...files.map((file) => `FAILED test/${file}.spec.ts > a rule: expected 1`),
];

it('adds up the counts of its runs', () => {
  const { asked, status, said } = run(FINE, FINE, FINE);
  expect(asked).toEqual(SCRIPTS);
  expect([status, said.at(-1)]).toEqual([0, '15 passed, 0 failed, 3 skipped']);
});

it('reruns a failed file, and names those that pass then', () => {
  const { asked, status, said } = run(failed('a', 'b'), FINE, FINE, failed('c'), FINE);
  expect(asked).toEqual([
    SCRIPTS[0],
    'run test -- test/a.spec.ts test/b.spec.ts',
    SCRIPTS[1],
    SCRIPTS[2],
    'run test:eventstore:contracts -- test/c.spec.ts',
  ]);
  expect(status).toBe(0);
  expect(said.slice(-4)).toEqual([
    'FLAKY test/a.spec.ts > a rule: expected 1',
    'FLAKY test/b.spec.ts > a rule: expected 1',
    'FLAKY test/c.spec.ts > a rule: expected 1',
    '16 passed, 0 failed, 3 skipped',
  ]);
});

it('fails with files that fail twice', () => {
  const { asked, status, said } = run(FINE, failed('a'), failed('a'), FINE);
  expect(asked).toEqual([SCRIPTS[0], SCRIPTS[1], `${SCRIPTS[1]} test/a.spec.ts`, SCRIPTS[2]]);
  expect(status).toBe(1);
  expect(said.slice(-2)).toEqual([
    'FAILED test/a.spec.ts > a rule: expected 1',
    '14 passed, 1 failed, 3 skipped',
  ]);
});

it('runs nothing again where many files failed, or something outside of a test', () => {
  for (const lines of [
    failed('a', 'b', 'c', 'd'),
    [...failed('a'), 'FAILED outside of a test: unhandled'],
  ]) {
    const { asked, status } = run(lines, FINE, FINE);
    expect([asked, status]).toEqual([SCRIPTS, 1]);
  }
});

it('names a part that was ended, and runs nothing after it', () => {
  const { asked, status, said } = run(FINE, []);
  expect(asked).toEqual(SCRIPTS.slice(0, 2));
  expect(status).toBe(1);
  const part = 'npm run test:all -- --project rehearsals*';
  expect(said.slice(-2)).toEqual([
    `FAILED outside the tests: ended by signal or after 5400 s: ${part}`,
    '5 passed, 1 failed, 1 skipped',
  ]);
});
