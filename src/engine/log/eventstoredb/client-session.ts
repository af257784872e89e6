import type { Credentials } from '@eventstore/db-client';
import { LOG_CALL_TIMEOUT_MS } from '../../limits.ts';
import { LogUnavailable } from '../event-store.ts';
import { SharedReads } from '../shared-reads.ts';
import { Replaced, type ActiveClient } from './client-failover.ts';
import { EventStoreDbReader } from './reader.ts';

/** What an append works with: all of it over one client, and invalid once that is replaced. */
export interface ClientSession {
  readonly active: ActiveClient;
  readonly reader: EventStoreDbReader;
  readonly tails: SharedReads<number | null>;
}

export const sessionOver = (active: ActiveClient, credentials: Credentials): ClientSession => {
  const reader = new EventStoreDbReader(
    {
      async ask(call) {
        mustBeActive(active);
        const answer = await call(active);
        mustBeActive(active);
        return answer;
      },
    },
    credentials,
  );
  const tails = new SharedReads((stream) => reader.revisionOf(stream, LOG_CALL_TIMEOUT_MS));
  return { active, reader, tails };
};

/**
 * @throws {@link LogUnavailable} if the client was replaced: no caller waits for this any more, and
 *   it must not be retried.
 */
export const mustBeActive = ({ replaced }: ActiveClient): void => {
  if (replaced.aborted) throw new LogUnavailable('another server leads', new Replaced());
};
