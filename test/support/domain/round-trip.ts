import { randomUUID } from 'node:crypto';
import type { Codec } from '../../../src/engine/log/codec.ts';
import { noon } from './specify.ts';

/** The fact as it comes back from a log that keeps JSON: through its schema on both ways. */
export const throughJson = <Event extends { readonly type: string }>(
  codec: Codec<Event>,
  event: Event,
): Event => {
  const encoded = codec.encode(randomUUID(), event, { commandId: randomUUID(), ...noon });
  return codec.decode({
    ...encoded,
    data: JSON.parse(JSON.stringify(encoded.data)) as unknown,
    stream: 'any-1',
    revision: 0,
    position: '0',
    recordedAt: noon.at,
  }).event;
};
