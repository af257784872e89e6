import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loggerOptions } from '../../../src/engine/observe/logging.ts';

const logged = (err: unknown): Record<string, unknown> => {
  let written = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  pino(loggerOptions('info'), sink).warn({ err }, 'it failed');
  return (JSON.parse(written) as { err: Record<string, unknown> }).err;
};

it('logs the message, the code and the cause of an error', () => {
  const cause = Object.assign(new RangeError('no more'), { code: '57P01' });
  expect(logged(new TypeError('it is broken', { cause }))).toEqual({
    type: 'TypeError',
    message: 'it is broken',
    stack: expect.stringContaining('logging.spec.ts') as string,
    cause: {
      type: 'RangeError',
      message: 'no more',
      stack: expect.stringContaining('RangeError') as string,
      code: '57P01',
    },
  });
});

it('logs each error of an aggregate', () => {
  const several = new AggregateError([new Error('one'), new Error('two')], 'both failed');
  expect(logged(several)).toMatchObject({
    errors: [{ message: 'one' }, { message: 'two' }],
  });
});

it('logs no property that a library has attached to an error', () => {
  const client = { connectionParameters: { password: 'hunter2' } };
  expect(Object.keys(logged(Object.assign(new Error('gone'), { client })))).toEqual([
    'type',
    'message',
    'stack',
  ]);
});

it('logs a value that is not an error as it is', () => expect(logged('a text')).toBe('a text'));
