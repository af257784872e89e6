import type { FastifyRequest } from 'fastify';
import type { Core } from './core.ts';

/**
 * The address that a request is for, without a trailing slash: the main platform also serves the
 * public paths and the sign-in of every address below the sandbox host, with or without a sandbox.
 */
export const requestAddress = ({ publicUrl, sandboxHost, sandboxApiUrlOf }: AddressParts) => {
  const slugOf = slugBelow(sandboxHost);
  return ({ headers }: Pick<FastifyRequest['raw'], 'headers'>): string => {
    const slug = slugOf(hostNameOf(headers.host ?? ''));
    return slug === null ? publicUrl : sandboxApiUrlOf(slug);
  };
};

type AddressParts = Pick<Core, 'publicUrl' | 'sandboxHost' | 'sandboxApiUrlOf'>;

/** The slug in a {@link hostNameOf}; `null`: the name is not below the sandbox host. */
export const slugBelow = (sandboxHost: string): ((hostName: string) => string | null) => {
  const domain = `.${hostNameOf(sandboxHost)}`;
  return (hostName) => (hostName.endsWith(domain) ? hostName.slice(0, -domain.length) : null);
};

/** The name in a `Host` header: in lower case, without port and trailing dot. */
export const hostNameOf = (host: string): string =>
  host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
