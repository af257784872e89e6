/** A request as the list of erasures keeps it, without its reason. contract.md section 11. */
import { z } from 'zod';
import { textChoices, type ErasureRequested } from './events.ts';

const listEntry = z.strictObject({
  /** The version of this format. */
  atriumErasure: z.literal(1),
  erasureId: z.uuid(),
  organisation: z.string(),
  texts: z.enum(textChoices),
  identityKeys: z.array(z.uuid()).readonly(),
  textKeys: z.array(z.uuid()).readonly(),
});

export type ListEntry = Readonly<z.infer<typeof listEntry>>;

/** The same request has the same line. */
export const listEntryOf = (request: ErasureRequested): ListEntry => {
  const { erasureId, organisation, texts, identityKeys, textKeys } = request;
  return {
    atriumErasure: 1,
    erasureId,
    organisation,
    texts,
    identityKeys: identityKeys.toSorted(),
    textKeys: textKeys.toSorted(),
  };
};

export const listLine = (entry: ListEntry): string => `${JSON.stringify(entry)}\n`;

/** @throws If this release cannot read the line. */
export const listEntryIn = (line: string): ListEntry => listEntry.parse(JSON.parse(line));
