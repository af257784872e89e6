/** The stored events of status links: members are added, never renamed. */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';

export const statusLinkEventSchemas = {
  StatusLinkIssued: z.strictObject({
    type: z.literal('StatusLinkIssued'),
    ticketId: z.uuid(),
    organisation: text,
    /** SHA-256 of the token, in hex. The token is stored nowhere. */
    tokenHash: text,
    expiresAt: instant,
  }),
  StatusLinkRevoked: z.strictObject({ type: z.literal('StatusLinkRevoked'), ticketId: z.uuid() }),
};

export type StatusLinkEvent = {
  [T in keyof typeof statusLinkEventSchemas]: Readonly<z.infer<(typeof statusLinkEventSchemas)[T]>>;
}[keyof typeof statusLinkEventSchemas];
