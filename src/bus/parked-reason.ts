import { asStorable } from '../engine/storable.ts';

/**
 * Why a message is parked, in storable form: never empty, and without characters that Postgres
 * refuses, which an error may quote from the message.
 */
export const parkedReasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return asStorable(text) || 'no reason was given';
};
