/** What a building tells live, for a command that runs until it is interrupted. */
import { Agent } from 'node:http';
import { createLive, LiveRefusedError, type LiveItem } from '../../../sdk/src/live.ts';
import { isBelowLocalhost } from '../../../sdk/src/node-fetch.ts';
import { lookUpHere } from '../../../sdk/src/node-lookup.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandFailed, signInNeeded } from '../failures.ts';
import type { Platform } from './platform.ts';

/**
 * Ends at SIGINT and SIGTERM.
 *
 * @param since Begins after this position; `null`: with what comes now.
 * @throws {@link CommandFailed} where another attempt would change nothing.
 */
export async function* toldLive(
  { url, token }: Pick<Platform, 'url' | 'token'>,
  buildingId: string,
  since: string | null,
): AsyncGenerator<LiveItem, void, undefined> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  let ended: CommandFailed | null = null;
  /** A session that has ended is no connection that may come back. */
  const sessionToken = async () => {
    try {
      return await token();
    } catch (error) {
      if (error instanceof CommandFailed && error.exitCode === exitCodes.signInNeeded) {
        ended = error;
        stop();
      }
      throw error;
    }
  };
  const live = createLive({ url, token: sessionToken, socket: wayTo(url) });
  try {
    yield* live(buildingId, { since, signal: stopped.signal });
  } catch (error) {
    if (!(error instanceof LiveRefusedError)) throw error;
    const message = `the live service refuses (${error.code})`;
    throw /^(UNAUTHENTICATED|KEY_\w+)$/.test(error.code)
      ? signInNeeded(`${message}; run atrium login`, error)
      : new CommandFailed(message, error);
  }
  if (ended) throw ended as CommandFailed;
}

/** Below `localhost` is this machine, whatever a resolver knows. */
const wayTo = (url: string): object =>
  isBelowLocalhost(new URL(url)) ? { agent: new Agent({ lookup: lookUpHere }) } : {};
