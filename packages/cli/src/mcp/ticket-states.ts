/** As the API has them; the server refuses others, and names those there are. */
export const TICKET_STATES = [
  'new',
  'triaged',
  'in_progress',
  'waiting',
  'resolved',
  'reopened',
  'closed',
  'cancelled',
] as const;
