import { expect, it } from 'vitest';
import { parkedReasonOf } from '../../src/bus/parked-reason.ts';

it.each([
  [new Error('it is wet'), 'it is wet'],
  ['words alone', 'words alone'],
  [new Error(''), 'no reason was given'],
  ['', 'no reason was given'],
  [new Error('not "\0" or "\ud800"'), 'not "\ufffd" or "\ufffd"'],
])('%o is kept as a reason that can be stored', (error, reason) => {
  expect(parkedReasonOf(error)).toBe(reason);
});
