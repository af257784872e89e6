import type { Client } from 'pg';
import { withTimeout } from '../concurrency/timeout.ts';
import { DATABASE_END_MAX_MS } from '../limits.ts';

/** Ends a connection in order; its socket is closed after {@link DATABASE_END_MAX_MS}. */
export const endConnection = (client: Client): Promise<void> =>
  withTimeout(client.end(), DATABASE_END_MAX_MS, () => closeSocket(client));

/** Ends a connection without the server, which may not answer: its statements reject. */
export const closeSocket = (client: Client): void => void client.connection.stream.destroy();
