/** `atrium tail`. */
import { randomUUID } from 'node:crypto';
import { createAtrium, type Atrium } from '../../../sdk/src/index.ts';
import { interrupted, usageError } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { fetchHere } from '../session/reach.ts';
import { watchedSession } from '../session/watched-session.ts';
import { interruption } from '../terminal/interrupts.ts';
import { sandboxNamed, type SandboxOption } from './platform.ts';
import { wordsOf, type TailLine } from './tail-lines.ts';
import { eventsOf, requestsOf, ticketsOf, type Source } from './tail-sources.ts';

/** Buildings of a sandbox that are followed; it is made with one. */
const BUILDINGS_MAX = 10;

export const tail = async (
  invocation: Invocation<SandboxOption & { readonly count?: number }>,
): Promise<void> => {
  const { options, terminal } = invocation;
  if (options.sandbox === undefined) throw usageError('tail needs a sandbox: use --sandbox');
  const { client: server, connection } = await atriumOf(invocation);
  const { sandboxId, name, apiUrl: url } = await sandboxNamed(server, options.sandbox);
  const stopped = interruption();
  const ended = new AbortController();
  const { token, ended: sessionEnded } = watchedSession(connection.token);
  const signal = AbortSignal.any([stopped.signal, ended.signal, sessionEnded]);
  let failure: unknown = null;

  const mine = `tail-${randomUUID()}`;
  const client = clientNamed(mine, url, token);
  const buildingIds = await buildingsOf(client);
  const sources: Source[] = [
    requestsOf(server, { sandboxId, mine, signal, notice: terminal.notice }),
    ticketsOf(client, signal),
    ...buildingIds.map((buildingId) => eventsOf({ url, token }, buildingId, signal)),
  ];
  let unready = sources.length;
  let left = options.count ?? Number.POSITIVE_INFINITY;
  const print = (line: TailLine): void => {
    if (left === 0) return;
    terminal.print(line, () => wordsOf(line));
    left -= 1;
    if (left === 0) ended.abort();
  };
  const follow = async (source: Source): Promise<void> => {
    for await (const line of source) {
      if (line !== 'ready') print(line);
      else if ((unready -= 1) === 0) terminal.notice(`Tailing ${name}; Ctrl-C ends it.`);
    }
  };
  const failed = (error: unknown) => {
    failure ??= error;
    ended.abort();
  };
  await Promise.all(sources.map((source) => follow(source).catch(failed)));
  stopped.release();
  if (sessionEnded.aborted) failure ??= sessionEnded.reason;
  if (failure !== null) throw failure as Error;
  const by = stopped.by();
  if (by !== null) throw interrupted('ended', by);
};

/** A client whose requests all have this id, so that they can be left out. */
const clientNamed = (requestId: string, url: string, token: () => Promise<string>): Atrium =>
  createAtrium({
    url,
    token,
    fetch: async (request) => {
      const named = new Request(request);
      named.headers.set('x-request-id', requestId);
      return fetchHere(named);
    },
  });

const buildingsOf = async (client: Atrium): Promise<readonly string[]> => {
  const query = { limit: BUILDINGS_MAX };
  const { data } = await client.GET('/api/v1/buildings', { params: { query } });
  return data.items.map(({ id }) => id);
};
