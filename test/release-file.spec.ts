/** Which release one may go back to: computed from the files of `releases/`. decision 0050. */
import { expect, it } from 'vitest';
import { firstToGoBackTo, type ReleaseFile } from './support/release-file.ts';

const file = (version: string, more: Partial<ReleaseFile> = {}): ReleaseFile => ({
  version,
  backTo: version,
  migrations: ['0001-first'],
  events: { Painted: 1 },
  readableAs: {},
  writtenBefore: {},
  readModels: {},
  ...more,
});
const earlier = [file('0.1.0'), file('0.2.0', { events: { Painted: 2 } })];

it.each([
  ['the oldest, where nothing has changed', {}, '0.1.0'],
  ['the oldest, past a migration that adds', { migrations: ['0001-first', '0002-more'] }, '0.1.0'],
  ['the oldest, past a new type', { events: { Painted: 1, Sold: 1 } }, '0.1.0'],
  ['the last that reads the version', { events: { Painted: 2 } }, '0.2.0'],
  [
    'the oldest that reads it as its own',
    { events: { Painted: 2 }, readableAs: { Painted: 1 } },
    '0.1.0',
  ],
  [
    'the oldest that reads what is written at first',
    { events: { Painted: 3 }, writtenBefore: { Painted: 2 } },
    '0.2.0',
  ],
  ['itself, where none reads it', { events: { Painted: 3 } }, '0.3.0'],
  ['itself, past a migration that removes', { migrations: ['0002-drop.contract'] }, '0.3.0'],
])('one may go back to %s', (_, contents, answer) =>
  expect(firstToGoBackTo('0.3.0', file('0.3.0', contents), earlier)).toBe(answer),
);
