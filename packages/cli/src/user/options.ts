/** Options that commands of several resources have. */
import { InvalidArgumentError, type Command } from 'commander';
import { acting } from '../invocation.ts';
import { count } from './numbers.ts';

/** A list: how much of it. */
export const limited = (command: Command): Command =>
  command
    .option('--limit <number>', 'maximum number of items (50)', count)
    .option('--all', 'all items');

/** What cannot be undone is asked for first. */
export const confirming = (command: Command): Command =>
  command.option('--yes', 'do not ask for confirmation');

export const repeatable = (command: Command): Command =>
  command.option(
    '--idempotency-key <key>',
    'idempotency key: repeating the command with it changes nothing',
    commandKey,
  );

/** As the API takes an `Idempotency-Key`. */
export const commandKey = (text: string): string => {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('Write 1 to 255 visible characters of ASCII.');
};

/** Gives a command the choice of a platform, and of a building there. */
export const inBuilding = (command: Command): Command =>
  acting(command).option(
    '--building <building>',
    'its id, code or name; optional if there is only one',
  );

/** The parts of a text that is separated by commas. */
export const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** A time of ISO 8601 with its zone, or a day, which begins at midnight UTC. */
export const instant = (text: string): string => {
  const form = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
  const [, day] = form.exec(text) ?? [];
  const at = new Date(text);
  // `Date` would parse 30 February as a day of March.
  if (day && !Number.isNaN(at.getTime()) && new Date(day).toISOString().startsWith(day))
    return at.toISOString();
  throw new InvalidArgumentError('Write 2026-03-02T12:00:00Z, or a day: 2026-03-02.');
};
