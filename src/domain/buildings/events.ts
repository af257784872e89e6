/**
 * Announcements about a building. The graph itself is relational; these facts go to journals by
 * building and day (`building-<buildingId>.<yyyymmdd>`) that are deleted after their retention.
 */
import { z } from 'zod';
import { keptDays } from '../../engine/retention/terms.ts';
import { ANNOUNCEMENT_RETENTION_DAYS } from '../../limits.ts';

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
  /** The internal ids were recreated, so references to the old ones must move. */
  replaced: z.boolean(),
  created: counts,
  updated: counts,
  removed: counts,
});

export type BuildingEvent = z.infer<typeof buildingImported>;

/** Retention of the journals of announcements. */
export const announcementTerm = keptDays(ANNOUNCEMENT_RETENTION_DAYS);

/** The journal of an announcement of this building. `at`: its UTC day counts. */
export const journalKeyOf = (buildingId: string, at: string): string =>
  `${buildingId}.${at.slice(0, 10).replaceAll('-', '')}`;
