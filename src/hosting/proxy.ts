/** Proxies requests to the process that hosts their sandbox. */
import {
  Agent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { REQUEST_RECEIVE_TIMEOUT_MS } from '../api/http/limits.ts';
import { allowLongRequest } from '../api/http/upload.ts';
import { SANDBOX_PROXY_ANSWER_MAX_MS, SANDBOX_PROXY_CONNECT_MAX_MS } from './limits.ts';

export interface SandboxProxy {
  /** @param failed Called if no response has begun yet. */
  request(
    address: string,
    request: IncomingMessage,
    response: ServerResponse,
    failed: (error: Error) => void,
  ): void;
  /** Closes idle connections. */
  close(): void;
}

/**
 * Marks a proxied request, which is not proxied again. Callers may set it, with the same effect.
 */
export const PROXIED_HEADER = 'x-atrium-passed-on';

export const sandboxProxy = (): SandboxProxy => {
  const agent = new Agent({ keepAlive: true });
  const reachable = connectionProbe();

  /** The request to that process, with the original `Host` and all other headers. */
  const outgoingRequest = (address: string, incoming: IncomingMessage): ClientRequest => {
    const { protocol, hostname: named, port: written } = new URL(address);
    // A URL has an IPv6 address in brackets, a connection has not.
    const hostname = named.replace(/^\[|\]$/g, '');
    const secure = protocol === 'https:';
    const port = written || (secure ? '443' : '80');
    const outgoing = (secure ? httpsRequest : httpRequest)({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: passedOnHeaders(incoming),
      setHost: false,
      ...(secure ? {} : { agent }),
    });
    const giveUp = (what: string) => () => outgoing.destroy(new Error(what));
    const connecting = setTimeout(giveUp('no connection in time'), SANDBOX_PROXY_CONNECT_MAX_MS);
    outgoing.once('socket', (socket) => {
      const connected = () => clearTimeout(connecting);
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    // On a reused connection a lost host looks like a slow one.
    const probing = setInterval(() => {
      reachable(hostname, port).catch((error: Error) => {
        const pooled = agent.getName({ host: hostname, port });
        for (const socket of agent.freeSockets[pooled] ?? []) socket.destroy();
        outgoing.destroy(error);
      });
    }, SANDBOX_PROXY_CONNECT_MAX_MS);
    const answered = () => clearInterval(probing);
    outgoing.once('response', answered);
    outgoing.once('close', () => {
      clearTimeout(connecting);
      clearInterval(probing);
    });
    outgoing.setTimeout(SANDBOX_PROXY_ANSWER_MAX_MS, giveUp('no answer in time'));
    return outgoing;
  };

  return {
    request(address, request, response, failed) {
      // The process that answers it enforces the deadline of its body.
      allowLongRequest(request);
      const outgoing = outgoingRequest(address, request);
      outgoing.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.rawHeaders));
        // An error on one side ends the other, and needs no further handling.
        pipeline(answer, response, () => {});
      });
      outgoing.once('error', (error) => {
        // The caller has gone.
        if (response.destroyed) return;
        if (response.headersSent) response.destroy();
        else failed(error);
      });
      response.once('close', () => outgoing.destroy());
      passOnBody(request, outgoing);
    },

    close: () => agent.destroy(),
  };
};

/**
 * After the host has answered or has failed, the rest is received for {@link
 * REQUEST_RECEIVE_TIMEOUT_MS} and discarded, so that the sender gets the answer.
 */
const passOnBody = (request: IncomingMessage, outgoing: ClientRequest): void => {
  // A body that breaks off closes the response, which ends the outgoing request.
  request.on('error', () => {});
  request.pipe(outgoing);
  outgoing.once('close', () => {
    if (request.readableEnded || request.destroyed) return;
    const cutOff = setTimeout(() => request.destroy(), REQUEST_RECEIVE_TIMEOUT_MS).unref();
    request.once('close', () => clearTimeout(cutOff));
    request.resume();
  });
};

/**
 * Opens a connection and closes it. Concurrent probes of one address share a connection.
 *
 * @returns Rejects if there is no connection within {@link SANDBOX_PROXY_CONNECT_MAX_MS}.
 */
const connectionProbe = () => {
  const underway = new Map<string, Promise<void>>();

  const probe = async (host: string, port: string): Promise<void> => {
    const socket = connect({ host, port: Number(port) });
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(SANDBOX_PROXY_CONNECT_MAX_MS) });
    } catch (error) {
      throw new Error('the host of the sandbox accepts no connection', { cause: error });
    } finally {
      socket.destroy();
    }
  };

  return (host: string, port: string): Promise<void> => {
    const key = `${host} ${port}`;
    const pending = underway.get(key);
    if (pending) return pending;
    const probing = probe(host, port).finally(() => underway.delete(key));
    underway.set(key, probing);
    return probing;
  };
};

/** Hop-by-hop headers apply to one connection. RFC 9110, section 7.6.1. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** The headers of a request that is passed on. */
export const passedOnHeaders = ({ method, headers, socket }: IncomingMessage) => {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const before = headers['x-forwarded-for'];
  const by = socket.remoteAddress ?? 'unknown';
  const isEmpty = !('content-length' in headers) && !('transfer-encoding' in headers);
  return {
    ...Object.fromEntries(kept),
    // Otherwise Node would send an empty chunked body, which has no content type.
    ...(isEmpty && !/^(GET|HEAD)$/.test(method ?? '') ? { 'content-length': '0' } : {}),
    'x-forwarded-for': before === undefined ? by : `${String(before)}, ${by}`,
    [PROXIED_HEADER]: '1',
  };
};

const kept = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, index) => !HOP_BY_HOP.has(rawHeaders[index - (index % 2)]!.toLowerCase()));
