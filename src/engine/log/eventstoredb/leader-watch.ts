import { LOG_LEADER_LOOKED_UP_MS, LOG_LEADER_LOOK_MS, LOG_SILENT_MS } from '../../limits.ts';
import type { Report } from '../../observe/report.ts';
import type { Gossip } from './gossip.ts';
import type { CallWatch, ClientFailover } from './client-failover.ts';

export interface LeaderWatch extends CallWatch {
  /** What is replaced when another server leads. */
  readonly watched: Set<ClientFailover>;
  stop(): void;
}

/** Of a server that stands alone. */
export const noLeaderWatch: CallWatch = { asked() {}, answered() {}, failed() {} };

/**
 * Replaces connections to a leader that hangs as soon as its cluster has another one. The client
 * itself pings its server every ten seconds and waits ten more: twice as long as the others take to
 * elect a leader.
 *
 * While a call has had no answer for {@link LOG_SILENT_MS}, the servers are asked who leads. That
 * is held against whoever led when the last answers came; where nobody knows that, connections are
 * made anew once, which costs little.
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
      // Such as a file of certificates that is gone: the client goes over by itself, later.
      report.warn({ err: error }, 'connections to the log cannot be made anew');
    }
  };

  /** Asked when there are answers: the leader that is named then is the one that gives them. */
  const learn = async (): Promise<void> => {
    learntAt = performance.now();
    leader = (await gossip.leader()) ?? leader;
  };

  return {
    watched,

    asked() {
      if (timer === null && !stop.signal.aborted) lookIn(LOG_SILENT_MS);
    },

    answered() {
      if (performance.now() - learntAt < LOG_LEADER_LOOKED_UP_MS || stop.signal.aborted) return;
      const since = waitingSince();
      // Some are answered and one is not: from before a change of leaders, or after it.
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
