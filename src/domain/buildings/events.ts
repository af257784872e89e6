/**
 * What a building announces. The graph itself is relational; these facts go to journals by
 * building and day (`building-<buildingId>.<yyyymmdd>`) that are deleted when their term is over.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/aggregates/event-fields.ts';

const counts = z.strictObject({
  storeys: z.number().int().min(0),
  spaces: z.number().int().min(0),
  elements: z.number().int().min(0),
  points: z.number().int().min(0),
});

export const buildingImported = z.strictObject({
  type: z.literal('BuildingImported'),
  buildingId: z.uuid(),
  organisation: z.string(),
  /** The internal ids were recreated: what points at the old ones is to be moved. */
  replaced: z.boolean(),
  created: counts,
  updated: counts,
  removed: counts,
});

const value = z.union([z.number(), z.boolean()]);

/** A point as one ingest left it. */
const pointUpdate = z.strictObject({
  pointId: z.uuid(),
  elementId: z.uuid().nullable(),
  spaceId: z.uuid().nullable(),
  value,
  unit: z.string().nullable(),
  observedAt: instant,
  /**
   * What the ingest had of the point besides, oldest first: milliseconds before `observedAt`, and
   * the value. For rules, which follow every sample; absent where there was one.
   */
  earlier: z.array(z.tuple([z.number().int().min(1), value])).optional(),
});

/**
 * What one ingest changed: each point once, with the latest value in it. One fact tells of many
 * points, so that the log keeps up with the meters; an ingest of more points is several facts.
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

export type BuildingEvent = z.infer<typeof buildingImported>;

/** What its points tell, in `telemetry-<buildingId>.<yyyymmdd>`, by the hundred a second. */
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

/** The journal that an announcement of this building goes to. `at`: its UTC day counts. */
export const journalKeyOf = (buildingId: string, at: string): string =>
  `${buildingId}.${at.slice(0, 10).replaceAll('-', '')}`;
