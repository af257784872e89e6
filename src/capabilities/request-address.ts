import type { FastifyRequest } from 'fastify';
import type { Core } from './core.ts';

/**
 * The address that a request is for, without a trailing slash: the main platform also serves the
 * public paths and the sign-in of every address below the sandbox host, with or without a sandbox.
 */
export const requestAddress =
  ({ publicUrl, sandboxHost, sandboxApiUrlOf }: AddressParts) =>
  ({ headers }: Pick<FastifyRequest['raw'], 'headers'>): string => {
    const slug = sandboxIn(headers.host, sandboxHost);
    return slug === null ? publicUrl : sandboxApiUrlOf(slug);
  };

type AddressParts = Pick<Core, 'publicUrl' | 'sandboxHost' | 'sandboxApiUrlOf'>;

/** The slug in a `Host` header of a sandbox, whatever its port; `null`: it is of no sandbox. */
const sandboxIn = (host: string | undefined, sandboxHost: string): string | null => {
  const nameOf = (named: string) => named.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  const [name, domain] = [nameOf(host ?? ''), `.${nameOf(sandboxHost)}`];
  return name.endsWith(domain) ? name.slice(0, -domain.length) : null;
};
