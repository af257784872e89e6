/**
 * Drafts of unsent input: they survive a reload, a crash and the end of the session, and are
 * removed when they are sent or discarded.
 */
import { keptValues, type KeptIn, type KeptValues } from './kept.ts';

export const DRAFTS_MAX = 50;
export const DRAFT_LENGTH_MAX = 200_000;

/** Drafts by form and record. @param owner The person and the organisation. */
export const draftsOf = (owner: readonly (string | null)[], keptIn?: KeptIn): KeptValues =>
  keptValues('atrium.draft:', owner, { max: DRAFTS_MAX, lengthMax: DRAFT_LENGTH_MAX }, keptIn);
