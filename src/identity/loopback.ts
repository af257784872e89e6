import { isIPv4 } from 'node:net';

/** Whether a host name, or the host of a URL, always means this machine, whatever DNS says. */
export const isLoopbackHost = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) ||
  (isIPv4(host) && host.startsWith('127.'));
