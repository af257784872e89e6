import { connect } from 'node:net';
import { NATS_CONNECT_MAX_MS } from '../limits.ts';

/**
 * Those of `servers` that send a greeting on connection, as every NATS server does. NATS's client
 * gets only these, because it leaks a socket for each server that accepts a connection and stays
 * silent.
 *
 * @throws The reason if none does, or if `signal` aborts.
 */
export const reachableServers = async (
  servers: readonly URL[],
  signal: AbortSignal,
): Promise<readonly URL[]> => {
  const greetings = await Promise.allSettled(servers.map((server) => greeted(server, signal)));
  const reachable = servers.filter((_, at) => greetings[at]!.status === 'fulfilled');
  if (reachable.length > 0) return reachable;
  throw greetings.find((greeting) => greeting.status === 'rejected')?.reason;
};

const greeted = async ({ hostname, port }: URL, stop: AbortSignal): Promise<void> => {
  const late = AbortSignal.timeout(NATS_CONNECT_MAX_MS);
  const over = AbortSignal.any([stop, late]);
  const socket = connect(Number(port || NATS_PORT), hostname.replace(/^\[|\]$/g, ''));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('data', () => resolve());
      socket.once('error', (error) => reject(refused(error)));
      socket.once('close', () => reject(new Error('the connection was closed')));
      over.addEventListener('abort', () => reject(new Error(SILENT)), { once: true });
      if (over.aborted) reject(new Error(SILENT));
    });
  } finally {
    socket.destroy();
  }
};

/** The error with the message of NATS's client. */
const refused = (error: NodeJS.ErrnoException): Error =>
  error.code === 'ECONNREFUSED' ? new Error('connection refused', { cause: error }) : error;

const SILENT = `no answer within ${NATS_CONNECT_MAX_MS / 1000} s`;
const NATS_PORT = 4222;
