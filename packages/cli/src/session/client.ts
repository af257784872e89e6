/** The typed client of the API, as the command line uses it. */
import { createAtrium, type Atrium } from '../../../sdk/src/index.ts';
import type { Invocation } from '../invocation.ts';
import { connectionOf, type Connection } from './connection.ts';
import { fetchHere } from './reach.ts';

/** Somebody waits at the terminal: less patience than a program has. */
const RETRIES = 2;

export const atriumAt = (server: string, token: Connection['token']): Atrium =>
  createAtrium({ url: server, token, retries: RETRIES, fetch: fetchHere });

/** For answers that go on for as long as there is something, and what must come to its end. */
export const patientAtriumAt = (server: string, token: Connection['token']): Atrium =>
  createAtrium({ url: server, token, timeoutMs: TRANSFER_MAX_MS, fetch: fetchHere });

/** For one request of any route, which may take as long as the longest, and is asked for once. */
export const atriumCalling = (server: string, token: Connection['token']): Atrium =>
  createAtrium({
    url: server,
    token,
    retries: RETRIES,
    timeoutMs: TRANSFER_MAX_MS,
    fetch: fetchHere,
  });

/** As long as the server gives an import. */
const TRANSFER_MAX_MS = 3_600_000;

/** @throws {@link CommandFailed} as {@link connectionOf} does. */
export const atriumOf = async (
  invocation: Invocation,
): Promise<{ readonly client: Atrium; readonly connection: Connection }> => {
  const connection = await connectionOf(invocation);
  return { client: atriumAt(connection.server, connection.token), connection };
};
