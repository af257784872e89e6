/** The path of a burst: it bypasses the library where no packet can overtake another. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { burstOf, frameOf } from '../../../src/api/live/frames.ts';
import { sender, type Sending } from '../../../src/api/live/sender.ts';

const frames = ['a', 'b'].map((event) =>
  frameOf({
    message: {
      event,
      buildingId: 'b',
      supersededBy: null,
      body: { event, data: {}, timestamp: '' },
    },
    cursor: { after: '7', messages: 0 },
  }),
);
const burst = burstOf(frames);

const sent = (over: Partial<Sending> = {}, wire: PassThrough | undefined = new PassThrough()) => {
  const written: unknown[][] = [];
  const connection = {
    readyState: 'open',
    transport: { name: 'websocket' },
    writeBuffer: [],
    write: (...packet: unknown[]) => written.push(packet),
    ...over,
  };
  const isCounted = sender(connection, wire)(burst);
  return { isCounted, written, direct: wire?.read() as Buffer | null };
};

describe('a burst', () => {
  it('goes straight to the connection of a WebSocket', () => {
    const { isCounted, written, direct } = sent();
    expect([isCounted, written]).toEqual([true, []]);
    expect(direct?.equals(burst.bytes)).toBe(true);
  });

  const ended = new PassThrough();
  ended.end();
  it.each([
    ['something waits in the library', { writeBuffer: [{}] }, new PassThrough()],
    ['the session is ending', { readyState: 'closing' }, new PassThrough()],
    ['the connection has ended', {}, ended],
  ])('goes to the library as one frame where %s', (_, over, wire) => {
    const { isCounted, written, direct } = sent(over, wire);
    expect([isCounted, direct]).toEqual([false, null]);
    const options = { compress: false, wsPreEncodedFrame: [burst.bytes] };
    expect(written).toEqual([[frames[0]!.packet, options]]);
  });

  it('goes to the library packet by packet where the transport is polling', () => {
    const { isCounted, written } = sent({ transport: { name: 'polling' } });
    expect([isCounted, written]).toEqual([false, frames.map(({ packet }) => [packet])]);
  });
});
