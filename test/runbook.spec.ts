/**
 * docs/operating/runbook.md has an entry for every visible symptom: each alert of
 * ops/, each reason of readiness, each warning of the log, each code of a server error.
 */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { release } from '../src/compose.ts';
import { programOf } from '../packages/cli/src/program.ts';
import { problems } from '../src/api/http/problems.ts';
import { logCalls, reasonCalls, textOf } from './support/logged.ts';
import { filesOf, importsOf, text } from './support/sources.ts';

/** Readiness reasons are created by the exports of this file. */
const REASONS = 'src/engine/observe/readiness-error.ts';

const page = text('docs/operating/runbook.md');

const sectionOf = (title: string): string => {
  const found = page.split(/^## /m).find((section) => section.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`the page has no section ${title}`);
  return found;
};

/** The cells of each row of the tables in a section, without heads and rules. */
const rowsOf = (section: string): string[][] =>
  [...section.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row]) => row!.split(' | '))
    .filter(([first]) => first !== 'seen');

/** The code spans of the first column. */
const seenIn = (title: string): string[] =>
  rowsOf(sectionOf(title)).flatMap(([seen]) =>
    [...seen!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!),
  );

const missingIn = (title: string, wanted: readonly string[]): string[] => {
  const seen = new Set(seenIn(title));
  return [...new Set(wanted)].filter((words) => !seen.has(words));
};

describe('the alerts', () => {
  const { groups } = parse(text('ops/prometheus/alerts.yml')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

  it('have an entry each, which says what it means, where to look and how to fix it', () => {
    const entries = sectionOf('Alerts').split(/^### /m).slice(1);
    expect(entries.map((entry) => entry.split('\n')[0])).toEqual(names);
    const whole = /^\w+\n\n(?!\*\*).+\s\*\*Check:\*\*\s\S.*\s\*\*Fix:\*\*\s\S/s;
    expect(entries.filter((entry) => !whole.test(entry))).toEqual([]);
  });
});

describe('the reasons of readiness', () => {
  const calls = reasonCalls().filter(({ path }) => importsOf(path).includes(REASONS));
  const reasons = calls.map((call) => textOf(call.arguments[0]!) ?? `${call.path}: not a text`);

  it('have an entry each', () => expect(missingIn('Reasons of readiness', reasons)).toEqual([]));

  it('have an entry only if they exist', () =>
    expect(seenIn('Reasons of readiness').filter((seen) => !reasons.includes(seen))).toEqual([]));

  it('are found in the sources', () => expect(reasons.length).toBeGreaterThan(15));
});

describe('the log', () => {
  /** Where the message is an argument of the function that logs: how it is given there. */
  const passedOn: Readonly<Record<string, RegExp>> = {
    // Its users name their failure: `failure: '…'`.
    'src/engine/consumers/leased-worker.ts': /^$/g,
    'src/hosting/active-sandboxes.ts': /warned\('([^']+)'/g,
    'src/hosting/host.ts': /(?:failed\(|\w, )'([a-z]+ [^']+)'\)/g,
    // These are reasons of readiness.
    'src/engine/consumers/restore-guard.ts': /^$/g,
  };

  const warnings = logCalls()
    .filter(({ method }) => /warn|error|fatal/.test(method))
    .flatMap((call) => {
      const line = textOf(call.arguments[1] ?? call.arguments[0]!);
      if (line !== null) return [line];
      const given = passedOn[call.path];
      if (!given) return [`${call.path}: where does its message come from?`];
      return [...text(call.path).matchAll(given)].map(([, words]) => words!);
    });

  const failures = filesOf('src/**/*.ts').flatMap((path) =>
    [...text(path).matchAll(/^ +failure: '([^']+)'/gm)].map(([, words]) => words!),
  );
  const lines = [...warnings, ...failures];

  it('has an entry for each line of level warning and above', () =>
    expect(missingIn('Lines of the log', lines)).toEqual([]));

  it('has no entry for a line that is never written', () => {
    const rows = seenIn('Lines of the log');
    expect(rows.filter((seen) => !lines.includes(seen))).toEqual([]);
  });

  it('is found in the sources, also where a message is passed on', () =>
    expect(lines).toEqual(
      expect.arrayContaining(['a sandbox did not close by itself', 'the template cannot be made']),
    ));
});

it('has an entry for each failure that is ours, by the code that callers get', () => {
  const ours = Object.entries(problems).filter(([, { status }]) => status >= 500);
  const codes = ours.map(([code]) => code);
  expect(missingIn('Codes that callers get', codes)).toEqual([]);
});

it.each(['Reasons of readiness', 'Lines of the log', 'Codes that callers get', 'What users say'])(
  '%s: every entry says what it means, where to look and how to fix it',
  (title) => {
    const short = rowsOf(sectionOf(title)).filter(
      (cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''),
    );
    expect(short).toEqual([]);
  },
);

it('has a page that names each process and timer', () => {
  const timers = release.timers.map(({ name }) => name);
  const names = [...release.processes, ...timers];
  const written = text('docs/operating/processes.md');
  expect(names.filter((name) => !written.includes(`\`${name}\``))).toEqual([]);
});

describe('the commands of the operating pages', () => {
  const written = filesOf('docs/operating/*.md').flatMap((path) =>
    [...text(path).matchAll(/npx atrium ([a-z][^`\n|;#)]*)/g)].map(([, words]) => words!.trim()),
  );

  /** Whether the words name a command and its required arguments. */
  const isComplete = (words: string): boolean => {
    let command = programOf();
    const rest = words.split(/\s+/);
    while (command.commands.length > 0 && /^[a-z]/.test(rest[0] ?? '')) {
      const name = rest.shift()!;
      const next = command.commands.find((one) => one.name() === name);
      if (next === undefined) return false;
      command = next;
    }
    const given = rest.filter((word) => !word.startsWith('-')).length;
    return given >= command.registeredArguments.filter(({ required }) => required).length;
  };

  it('exist, and have their required arguments', () => {
    expect(written.length).toBeGreaterThan(20);
    expect([...new Set(written)].filter((words) => !isComplete(words))).toEqual([]);
    expect(isComplete('projections drop ticket-list')).toBe(false);
  });
});
