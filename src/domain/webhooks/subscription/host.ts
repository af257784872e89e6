/** The host of a webhook's URL, without its port and without a trailing dot. */
export const hostOfUrl = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
