/**
 * Announcements about points, in `telemetry-<buildingId>.<yyyymmdd>`: hundreds per second.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';

const value = z.union([z.number(), z.boolean()]);

/** The state of a point after one ingest. */
const pointUpdate = z.strictObject({
  pointId: z.uuid(),
  elementId: z.uuid().nullable(),
  spaceId: z.uuid().nullable(),
  value,
  unit: z.string().nullable(),
  observedAt: instant,
  /**
   * Earlier samples of the ingest, oldest first: milliseconds before `observedAt`, and the value.
   * Rules follow every sample. Absent if there was only one.
   */
  earlier: z.array(z.tuple([z.number().int().min(1), value])).optional(),
});

/**
 * The changes of one ingest: each point once, with its latest value. One event covers many points,
 * so that the log keeps up with the meters; a larger ingest is several events.
 */
export const pointsUpdated = z.strictObject({
  type: z.literal('PointsUpdated'),
  buildingId: z.uuid(),
  points: z.array(pointUpdate).min(1),
});

const faultOpened = {
  buildingId: z.uuid(),
  faultId: z.uuid(),
  severity: text,
  title: text,
  pointId: z.uuid().nullable(),
  elementId: z.uuid().nullable(),
};

export const alarmTriggered = z.strictObject({
  type: z.literal('AlarmTriggered'),
  ...faultOpened,
  alarmId: z.uuid(),
  ruleId: z.uuid(),
  value,
  threshold: z.number(),
  triggeredAt: instant,
});

/** interface.md «building.fault.created». Recorded after the alarm. */
export const faultCreated = z.strictObject({
  type: z.literal('FaultCreated'),
  ...faultOpened,
  detectedAt: instant,
});

export const telemetryEventSchemas = {
  PointsUpdated: pointsUpdated,
  AlarmTriggered: alarmTriggered,
  FaultCreated: faultCreated,
};

export type PointUpdate = z.infer<typeof pointUpdate>;
export type PointsUpdated = z.infer<typeof pointsUpdated>;
export type AlarmTriggered = z.infer<typeof alarmTriggered>;
export type FaultCreated = z.infer<typeof faultCreated>;
export type TelemetryEvent = PointsUpdated | AlarmTriggered | FaultCreated;
