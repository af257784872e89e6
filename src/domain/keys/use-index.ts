/**
 * Where an organisation's uses lie in shared journals: in `keyuseindex-<organisation>.<yyyymm>`, so
 * that the history of a key need not read everybody's. The same contract with stored events as in
 * `events.ts`. docs/decisions/0055.
 */
import { z } from 'zod';
import { text } from '../../engine/aggregates/event-fields.ts';

const revision = z.int().min(0);

export const useIndexEventSchemas = {
  /** The organisation's uses in one section of a journal. Where it has none, none is stored. */
  UsesIndexed: z.strictObject({
    type: z.literal('UsesIndexed'),
    journal: text,
    /** Revisions `section` times `USE_INDEX_SECTION_RECORDS` and on, so many. */
    section: z.int().min(0),
    /** All of them lie in these, the first and the last revision of each, in order. */
    runs: z.array(z.tuple([revision, revision])).min(1),
  }),
};

export type UsesIndexed = Readonly<z.infer<typeof useIndexEventSchemas.UsesIndexed>>;

/** Goes when the journals of its month go. */
export const useIndexOf = (organisation: string, period: string): string =>
  `keyuseindex-${organisation}.${period}`;
