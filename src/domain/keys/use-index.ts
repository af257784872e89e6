/**
 * Where an organisation's uses are in shared journals: stored in
 * `keyuseindex-<organisation>.<yyyymm>`, so that the history of a key does not scan all
 * organisations. The same contract with stored events as in `events.ts`. docs/decisions/0055.
 */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';

const revision = z.int().min(0);

export const useIndexEventSchemas = {
  /**
   * The organisation's uses in one section of a journal; no event is stored for a section without
   * any.
   */
  UsesIndexed: z.strictObject({
    type: z.literal('UsesIndexed'),
    journal: text,
    /**
     * The section covers `USE_INDEX_SECTION_RECORDS` revisions from `section` times that number on.
     */
    section: z.int().min(0),
    /** All uses are within these ranges of revisions, both ends inclusive, in order. */
    runs: z.array(z.tuple([revision, revision])).min(1),
  }),
};

export type UsesIndexed = Readonly<z.infer<typeof useIndexEventSchemas.UsesIndexed>>;

/** It is deleted with the journals of its month. */
export const useIndexOf = (organisation: string, period: string): string =>
  `keyuseindex-${organisation}.${period}`;
