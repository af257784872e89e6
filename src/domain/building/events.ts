/**
 * What a building announces. The graph itself is relational; these facts go to journals by
 * building and day (`building-<buildingId>.<yyyymmdd>`) that are deleted when their term is over.
 */
import { z } from 'zod';

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

export type BuildingEvent = z.infer<typeof buildingImported>;

/** The journal that an announcement of this building goes to. `at`: its UTC day counts. */
export const journalKeyOf = (buildingId: string, at: string): string =>
  `${buildingId}.${at.slice(0, 10).replaceAll('-', '')}`;
