/** Replaces control characters: texts chosen by senders must not control a terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
