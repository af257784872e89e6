import { z } from 'zod';

/** Events of a process about itself, in the stream `process-<name>`. */
export type ProcessEvent =
  /** The process reacts to events that are recorded from here on. */
  | { readonly type: 'ProcessRegistered' }
  /** The process has reacted to everything up to `position` in the log of this identity. */
  | { readonly type: 'ProcessCheckpointed'; readonly position: string; readonly log?: string };

export const processEventSchemas = {
  ProcessRegistered: z.strictObject({ type: z.literal('ProcessRegistered') }),
  ProcessCheckpointed: z.strictObject({
    type: z.literal('ProcessCheckpointed'),
    position: z.string(),
    log: z.guid().optional(),
  }),
};
