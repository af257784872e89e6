/** Which service desks accept reports of people who have not signed in. contract.md section 5. */
import type { Configuration } from '../service-desk/configuration.ts';
import { ticketDefaults } from '../tickets/draft.ts';
import { requestRefusal } from '../tickets/requesters.ts';

/** Their tickets have the default type, which must be one that requesters may choose. */
export const acceptsReports = (desk: Configuration): boolean =>
  desk.requesterAccess === 'anyone' && requestRefusal(desk, ticketDefaults) === null;
