/** The stored events of saved views: members are added, never renamed. */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';

const details = {
  name: text,
  shared: z.boolean(),
  /** Members of the list's query, as they are written in a query string. */
  filters: z.record(z.string(), z.string()),
  sort: text,
  columns: z.array(text).readonly(),
};

const detailsObject = z.strictObject(details);
export type ViewDetails = Readonly<z.infer<typeof detailsObject>>;

export const viewEventSchemas = {
  ViewCreated: z.strictObject({
    type: z.literal('ViewCreated'),
    viewId: z.uuid(),
    organisation: text,
    /** Compared by the rules; the author's name is only in the metadata. */
    author: z.strictObject({ kind: z.enum(['user', 'client', 'key', 'system']), id: text }),
    ...details,
  }),
  /** All details as they are afterwards. */
  ViewChanged: z.strictObject({ type: z.literal('ViewChanged'), viewId: z.uuid(), ...details }),
  ViewDeleted: z.strictObject({ type: z.literal('ViewDeleted'), viewId: z.uuid() }),
};

export type ViewEvent = {
  [T in keyof typeof viewEventSchemas]: Readonly<z.infer<(typeof viewEventSchemas)[T]>>;
}[keyof typeof viewEventSchemas];
