/** Messages as the bytes of WebSocket frames: RFC 6455 section 5.2, unmasked. */
import { expect, it } from 'vitest';
import { burstOf, frameOf } from '../../../src/api/live/frames.ts';

const framed = (filling: number) =>
  frameOf({
    message: {
      event: 'e',
      buildingId: 'b',
      supersededBy: null,
      body: { event: 'e', data: { x: 'x'.repeat(filling) }, timestamp: '' },
    },
    cursor: { after: '7', messages: 0 },
  });
const EMPTY = '42/buildings,["e",{"event":"e","data":{"x":""},"timestamp":""},"7"]'.length;

it.each([
  ['its own byte', 125, [0x81, 125]],
  ['two bytes', 126, [0x81, 126, 0, 126]],
  ['two bytes', 65_535, [0x81, 126, 0xff, 0xff]],
  ['eight bytes', 65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('have their length in %s where it is %d', (_, length, head) => {
  const { bytes, packet } = framed(length - EMPTY);
  expect([...bytes.subarray(0, head.length)]).toEqual(head);
  expect(bytes.subarray(head.length).toString()).toBe(`4${packet}`);
});

it('of a burst come one after the other', () => {
  const [a, b] = [framed(1), framed(200)];
  expect(burstOf([a, b]).bytes.equals(Buffer.concat([a.bytes, b.bytes]))).toBe(true);
});
