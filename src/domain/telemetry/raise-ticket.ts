/** The ticket that a diagnostic rule raises for each of its faults. contract.md section 6. */
import { z } from 'zod';
import { priorities } from '../tickets/events.ts';
import { requestTypeText, storedCategory } from '../tickets/words.ts';

/** Has the texts and bounds of a ticket that is raised by hand. */
export const raiseTicket = z.strictObject({
  priority: z.enum(priorities),
  category: z.exactOptional(storedCategory),
  /** Default: that of every ticket. */
  requestType: z.exactOptional(requestTypeText),
});

export type RaiseTicket = Readonly<z.infer<typeof raiseTicket>>;
