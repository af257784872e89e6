/** Who may read a note or an attachment: all readers of the ticket, or only staff. */
export const visibilities = ['public', 'internal'] as const;
export type Visibility = (typeof visibilities)[number];
