/** Names below `localhost` are this machine (RFC 6761); Node asks a resolver that may not know. */

export const isBelowLocalhost = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && hostname.endsWith('.localhost');

type Found = { readonly address: string; readonly family: number }[];

/** For sockets of Node: whatever is below `localhost`. */
export const lookUpHere = (
  _hostname: string,
  options: { readonly all?: boolean | undefined },
  callback: (error: null, address: string & Found, family?: number) => void,
): void => {
  const found = options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1';
  callback(null, found as string & Found, 4);
};

/** Bundlers must not look for it: it is asked for in Node alone. */
const HTTP = 'node:http';

interface NodeHttp {
  readonly Agent: new (options: { readonly lookup: typeof lookUpHere }) => object;
}

/**
 * Options of `socket.io-client` with which Node reaches this address; none where it does without.
 */
export const socketOptionsFor = async (url: string): Promise<object> => {
  const { versions } = ((globalThis as { process?: object }).process ?? {}) as {
    versions?: object;
  };
  const isNode = versions !== undefined && 'node' in versions;
  if (!isNode || !isBelowLocalhost(new URL(url))) return {};
  const { Agent } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ HTTP)) as NodeHttp;
  return { agent: new Agent({ lookup: lookUpHere }) };
};
