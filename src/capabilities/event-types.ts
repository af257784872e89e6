/** Every type of event that this release stores and reads, under its name. */
import { buildingCodec } from '../graph/outbox-relay.ts';
import { retentionCodec } from '../processes/journal-retention.ts';
import { processCodec } from '../processes/process-position.ts';
import type { EventType } from '../store/codec.ts';
import * as codecs from '../store/codecs.ts';
import { serviceDeskCodec } from '../store/repositories/service-desks.ts';

const all = [
  ...Object.values(codecs),
  buildingCodec,
  processCodec,
  retentionCodec,
  serviceDeskCodec,
];

export const eventTypes: ReadonlyMap<string, EventType> = new Map(
  all.flatMap(({ types }) => [...types]),
);

/** The highest version of each that this release reads. */
export const versionsRead: Readonly<Record<string, number>> = Object.fromEntries(
  [...eventTypes].map(([name, { version = 1 }]) => [name, version]),
);
