import { LOG_LEADER_LOOKED_UP_MS, LOG_LEADER_LOOK_MS, LOG_SILENT_MS } from '../../limits.ts';
import type { Report } from '../../observe/report.ts';
import type { Gossip } from './gossip.ts';
import type { CallWatch, ClientFailover } from './client-failover.ts';

export interface LeaderWatch extends CallWatch {
  /** Replaced when another server leads. */
  readonly watched: Set<ClientFailover>;
  stop(): void;
}

/** The watch of a single server. */
export const noLeaderWatch: CallWatch = { called() {}, answered() {}, failed() {} };

/**
 * Replaces connections to a leader that hangs as soon as its cluster has another one. The client's
 * own pings take twenty seconds to detect that: twice as long as an election.
 *
 * While a call has had no answer for {@link LOG_SILENT_MS}, the servers are asked for the leader,
 * which is compared with the leader when the last answers came. If that one is unknown, connections
 * are replaced once, which costs little.
 */
export const leaderWatch = (gossip: Gossip, report: Report): LeaderWatch => {
  const watched = new Set<ClientFailover>();
  const stop = new AbortController();
  let leader: string | null = null;
  let learntAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;

  /** Since when the oldest call has been waiting, of all connections. */
  const waitingSince = (): number | null =>
    [...watched].reduce<number | null>((oldest, { waitingSince: since }) => {
      if (since === null) return oldest;
      return oldest === null ? since : Math.min(oldest, since);
    }, null);

  const lookIn = (ms: number) => {
    timer = setTimeout(() => void look(), ms);
    timer.unref();
  };

  const look = async (): Promise<void> => {
    const since = waitingSince();
    const silentMs = since === null ? 0 : performance.now() - since;
    if (since !== null && silentMs >= LOG_SILENT_MS) await compare();
    timer = null;
    if (since === null || stop.signal.aborted) return;
    lookIn(silentMs >= LOG_SILENT_MS ? LOG_LEADER_LOOK_MS : LOG_SILENT_MS - silentMs);
  };

  const compare = async (): Promise<void> => {
    const found = await gossip.leader();
    if (found === null || found === leader || stop.signal.aborted) return;
    const silent = leader;
    leader = found;
    learntAt = performance.now();
    try {
      for (const clients of watched) clients.replace(silent);
      report.info({ reason: 'another server leads' }, 'connections to the log were made anew');
    } catch (error) {
      // Such as a missing certificate file: the client fails over by itself, later.
      report.warn({ err: error }, 'connections to the log cannot be made anew');
    }
  };

  /** Looked up while calls are answered: the leader named then is the one that answers. */
  const learn = async (): Promise<void> => {
    learntAt = performance.now();
    leader = (await gossip.leader()) ?? leader;
  };

  return {
    watched,

    called() {
      if (timer === null && !stop.signal.aborted) lookIn(LOG_SILENT_MS);
    },

    answered() {
      if (performance.now() - learntAt < LOG_LEADER_LOOKED_UP_MS || stop.signal.aborted) return;
      const since = waitingSince();
      // One call is silent: the answers may be from before or after a change of leaders.
      if (since !== null && performance.now() - since >= LOG_SILENT_MS) return;
      void learn();
    },

    failed() {
      learntAt = -Infinity;
    },

    stop() {
      stop.abort();
      if (timer) clearTimeout(timer);
    },
  };
};
