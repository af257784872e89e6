/** Who may read a note or an attachment: all who read the ticket, or those who work on it. */
export const visibilities = ['public', 'internal'] as const;
export type Visibility = (typeof visibilities)[number];
