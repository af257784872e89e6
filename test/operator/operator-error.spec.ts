import { expect, it } from 'vitest';
import { NoKeyInFile } from '../../src/engine/drawn-once.ts';
import { LogUnavailable } from '../../src/engine/log/event-store.ts';
import { databaseUnreachable } from '../../src/operator/database-unreachable.ts';
import { ReaderGone } from '../../src/operator/events/output.ts';
import { messageForOperator } from '../../src/operator/operator-error.ts';

const failing = (message: string, code: string) => Object.assign(new Error(message), { code });
const broken = Object.assign(failing('write EPIPE', 'EPIPE'), { syscall: 'write' });

it.each([
  [new NoKeyInFile('secrets.key holds no key'), 'secrets.key holds no key'],
  [failing('cannot execute INSERT', '25006'), 'DATABASE_URL: cannot execute INSERT'],
  [failing('role "x" does not exist', '28000'), 'DATABASE_URL: role "x" does not exist'],
  [failing('connect ECONNREFUSED', 'ECONNREFUSED'), 'connect ECONNREFUSED'],
  [new TypeError('a bug'), null],
  [new ReaderGone(), null],
])('the message of %s is %s', (error, message) => expect(messageForOperator(error)).toBe(message));

it('names the database whose connection broke, and no other part that is away', () => {
  const named = () => databaseUnreachable('postgres://u:hidden@db/atrium')(broken);
  expect(named).toThrow('postgres://db/atrium: write EPIPE');
  const ofFile = Object.assign(failing('not a directory, scandir /files', 'ENOTDIR'), {
    syscall: 'scandir',
    path: '/files',
  });
  expect(() => databaseUnreachable('postgres://db/atrium')(ofFile)).toThrow(ofFile);
  const away = new LogUnavailable('esdb://one:2113', broken);
  expect(() => databaseUnreachable('postgres://db/atrium')(away)).toThrow(away);
});
