import { randomUUID } from 'node:crypto';
import type { TelemetryEvent } from '../../../src/domain/telemetry/events.ts';
import type { Recorded } from '../../../src/engine/log/codec.ts';
import type { Instant } from '../../../src/engine/aggregates/decider.ts';

/** An update of so many points of one building of acme, as a process receives it. */
export const pointsUpdated = (
  count: number,
  at: Instant,
): Recorded<Extract<TelemetryEvent, { type: 'PointsUpdated' }>> => {
  const buildingId = randomUUID();
  const about = { elementId: null, spaceId: null, value: 1, unit: null, observedAt: at };
  const points = Array.from({ length: count }, () => ({ pointId: randomUUID(), ...about }));
  return {
    id: randomUUID(),
    stream: `telemetry-${buildingId}.20260302`,
    revision: 0,
    position: '1',
    recordedAt: at,
    commandId: randomUUID(),
    by: { kind: 'system', id: 'test' },
    origin: 'system',
    organisation: 'acme',
    at,
    event: { type: 'PointsUpdated', buildingId, points },
  };
};
