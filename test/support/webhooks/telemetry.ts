/** Telemetry events of buildings, appended to the log as by an ingest. */
import { randomUUID } from 'node:crypto';
import { journalKeyOf } from '../../../src/domain/buildings/events.ts';
import { type TelemetryEvent } from '../../../src/domain/telemetry/events.ts';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';

interface TellOptions {
  readonly organisation?: string;
  readonly buildingId?: string;
  /** Default: now. */
  readonly at?: string;
  /** Points in the event. Default 1. */
  readonly points?: number;
  /** The command id of the event. Default: random. */
  readonly id?: string;
}

/** One ingest. @returns The ids of its points. */
export const tellPoints = async (
  log: Pick<EventStore, 'append'>,
  { points: count = 1, ...options }: TellOptions = {},
): Promise<readonly string[]> => {
  const at = options.at ?? new Date().toISOString();
  const points = Array.from({ length: count }, (_, index) => ({
    pointId: randomUUID(),
    elementId: null,
    spaceId: null,
    value: index + 0.5,
    unit: '°C',
    observedAt: at,
  }));
  await tell(log, (buildingId) => ({ type: 'PointsUpdated', buildingId, points }), {
    ...options,
    at,
  });
  return points.map(({ pointId }) => pointId);
};

export const tell = async (
  log: Pick<EventStore, 'append'>,
  factOf: (buildingId: string) => TelemetryEvent,
  { organisation = 'acme', buildingId = randomUUID(), at, id = randomUUID() }: TellOptions,
): Promise<void> => {
  const now = at ?? new Date().toISOString();
  const record = {
    commandId: id,
    at: now,
    by: { kind: 'system', id: 'ingest' },
    origin: 'api',
    organisation,
  } as const;
  const stream = streamOf('telemetry', journalKeyOf(buildingId, now));
  await log.append(stream, 'any', [telemetryCodec.encode(id, factOf(buildingId), record)]);
};
