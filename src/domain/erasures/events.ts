/**
 * The stored events of the erasure of a person, without personal data: keys are random ids that no
 * longer identify anyone. Members are added, never renamed. contract.md section 11.
 */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';

/** Whether the person's texts are erased too, or only their authorship. */
export const textChoices = ['keep', 'erase'] as const;
export type TextChoice = (typeof textChoices)[number];

const count = z.int().min(0);
const found = z.strictObject({
  tickets: count,
  notes: count,
  attachments: count,
  sessions: count,
});
export type Found = Readonly<z.infer<typeof found>>;

export const erasureEventSchemas = {
  ErasureRequested: z.strictObject({
    type: z.literal('ErasureRequested'),
    erasureId: z.uuid(),
    organisation: text,
    identityKeys: z.array(z.uuid()).readonly(),
    textKeys: z.array(z.uuid()).readonly(),
    texts: z.enum(textChoices),
    reason: text,
    /** Browser sessions of the person at the time. */
    sessions: count,
  }),
  /** All requests so far were carried out. */
  ErasureFinished: z.strictObject({
    type: z.literal('ErasureFinished'),
    erasureId: z.uuid(),
    requests: z.int().min(1),
    found,
  }),
};

export type ErasureRequested = Readonly<z.infer<(typeof erasureEventSchemas)['ErasureRequested']>>;
export type ErasureEvent =
  | ErasureRequested
  | Readonly<z.infer<(typeof erasureEventSchemas)['ErasureFinished']>>;
