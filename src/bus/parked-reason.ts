import { asStorable } from '../engine/aggregates/storable.ts';

/**
 * Why a message is parked, as the log and the list of parked messages can keep it: never empty, and
 * without what Postgres takes in no text, which an error may quote out of the message.
 */
export const parkedReasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return asStorable(text) || 'no reason was given';
};
