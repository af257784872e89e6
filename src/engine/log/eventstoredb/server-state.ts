/** The state of an EventStoreDB's servers as they report it, for operators. Read-only. */
import { AccessDeniedError, EventStoreDBClient, StreamNotFoundError } from '@eventstore/db-client';
import { z } from 'zod';
import type { Instant } from '../../time/instant.ts';
import { LOG_CALL_TIMEOUT_MS } from '../../limits.ts';
import { addressOf } from './address.ts';
import { httpAnswer, membersKnownTo, type Server } from './gossip-request.ts';

export interface EventStoreServerState {
  /** `host:port`, as in the gossip. */
  readonly place: string;
  /** `Leader`, `Follower`, …, as in the gossip. */
  readonly state: string;
  readonly isAlive: boolean;
  /** The disk with its log. `null`: not reported. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
}

export interface ScavengeState {
  /** The end of the last successful scavenge; `null`: the server has no record of one. */
  readonly succeededAt: Instant | null;
  /** Why the last scavenge failed; `null`: it did not, or there is none. */
  readonly failure: string | null;
}

/** Disks by mount point; there is one, with the log. */
const Drives = z.record(
  z.string(),
  z.object({ availableBytes: z.number(), totalBytes: z.number() }),
);

/**
 * Every server of the cluster, as known by one of those in `url`.
 *
 * @throws If none of them answers.
 */
export const eventStoreServers = async (url: string): Promise<readonly EventStoreServerState[]> => {
  const address = addressOf(url);
  const members = await Promise.any(address.hosts.map((host) => membersKnownTo(host, address)));
  const diskOf = async (server: Server) => {
    const [drive] = Object.values(
      Drives.parse(await httpAnswer(server, address, '/stats/sys/drive')),
    );
    return drive ? { freeBytes: drive.availableBytes, totalBytes: drive.totalBytes } : null;
  };
  return Promise.all(
    members
      // A manager is no server: it has no log.
      .filter(({ state }) => state !== 'Manager')
      .map(async ({ state, isAlive, httpEndPointIp: host, httpEndPointPort: port }) => ({
        place: `${host}:${port}`,
        state,
        isAlive,
        // If it stays silent, its state shows that.
        disk: isAlive ? await diskOf({ host, port }).catch(() => null) : null,
      })),
  );
};

/** Two are written for each scavenge of each server. */
const SCAVENGE_EVENTS_READ = 50;

/**
 * The last scavenges, from the stream in which the servers record them. `null`: the login may not
 * read it.
 *
 * @throws If the log cannot be read.
 */
export const lastScavenge = async (url: string): Promise<ScavengeState | null> => {
  const { any, credentials } = addressOf(url);
  const client = EventStoreDBClient.connectionString(any);
  let succeededAt: Date | null = null;
  let failure: string | null | undefined;
  try {
    const events = client.readStream<ScavengeEvent>('$scavenges', {
      direction: 'backwards',
      fromRevision: 'end',
      maxCount: SCAVENGE_EVENTS_READ,
      resolveLinkTos: true,
      deadline: LOG_CALL_TIMEOUT_MS,
      credentials,
    });
    for await (const { event } of events) {
      if (event?.type !== '$scavengeCompleted') continue;
      const { result, error } = event.data;
      const hasSucceeded = result === 'Success';
      failure ??= hasSucceeded ? null : `${result}: ${error ?? ''}`.replace(/: $/, '');
      if (hasSucceeded) succeededAt = event.created;
      if (hasSucceeded) break;
    }
  } catch (error) {
    if (error instanceof AccessDeniedError) return null;
    if (!(error instanceof StreamNotFoundError)) throw error;
  } finally {
    await client.dispose();
  }
  return { succeededAt: succeededAt?.toISOString() ?? null, failure: failure ?? null };
};

type ScavengeEvent = {
  readonly type: '$scavengeCompleted';
  readonly data: { readonly result: string; readonly error: string | null };
};
