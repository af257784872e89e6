import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { connectionCounts } from '../../../src/api/live/connection-counts.ts';

const [HERE, THERE] = ['192.0.2.1', '192.0.2.2'];
const connection = () => new EventEmitter();
const counted = (source = HERE) => {
  const one = connection();
  expect(counts.open(one, source)).toBe(true);
  return one;
};
let counts = connectionCounts();
const within = (bounds: Parameters<typeof connectionCounts>[0]) => {
  counts = connectionCounts(bounds);
};
const codeFor = (source = HERE) => counts.refusal(source)?.code ?? null;

it('refuses a source at its bound, and then everyone at the total', () => {
  within({ unadmittedOfSourceMax: 2, unadmittedMax: 3 });
  counted();
  counted();
  expect(codeFor()).toBe('RATE_LIMITED');
  expect(counts.open(connection(), HERE)).toBe(false);
  expect(codeFor(THERE)).toBeNull();
  counted(THERE);
  expect(codeFor(THERE)).toBe('UNAVAILABLE');
  expect(counts.open(connection(), THERE)).toBe(false);
});

it('counts IPv6 by /64', () => {
  within({ unadmittedOfSourceMax: 1 });
  counted('2001:db8:0:1::1');
  expect(codeFor('2001:db8:0:1:ffff::2')).toBe('RATE_LIMITED');
  expect(codeFor('2001:db8:0:2::1')).toBeNull();
});

it('counts an admitted connection apart, and refuses everyone when all are in use', () => {
  within({ connectionsMax: 2, unadmittedOfSourceMax: 1 });
  const first = counted();
  expect(counts.admit(first)).toBe(true);
  expect(codeFor()).toBeNull();
  expect(counts.admit(counted())).toBe(true);
  expect(codeFor()).toBe('UNAVAILABLE');
  first.emit('close');
  expect(codeFor()).toBeNull();
});

it('admits no more than fit, however many are open', () => {
  within({ connectionsMax: 1 });
  const [first, second] = [counted(), counted()];
  expect(counts.admit(first)).toBe(true);
  expect(counts.admit(second)).toBe(false);
  first.emit('close');
  expect(counts.admit(second)).toBe(true);
});

it('admits a connection once, and never one that has closed or was not counted', () => {
  within({ connectionsMax: 2, unadmittedOfSourceMax: 2 });
  const [twice, gone] = [counted(), counted()];
  expect([counts.admit(twice), counts.admit(twice)]).toEqual([true, true]);
  gone.emit('close');
  expect(counts.admit(gone)).toBe(false);
  expect(counts.admit(connection())).toBe(false);
  expect(counts.admit(counted())).toBe(true);
});

it.each(['unadmitted', 'admitted'])('releases an %s connection once', (state) => {
  within({ connectionsMax: 2, unadmittedOfSourceMax: 2 });
  counted();
  for (let round = 0; round < 5; round += 1) {
    const one = counted();
    if (state === 'admitted') counts.admit(one);
    one.emit('close');
    one.emit('close');
  }
  expect(codeFor()).toBeNull();
  counted();
  expect(codeFor()).toBe('RATE_LIMITED');
});
