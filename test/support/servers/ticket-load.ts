/** Callers that retry until acknowledged, and the answers they got during faults. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Reply, ServerProcess } from './server.ts';
import { letPass, until, WAITS_MAX_MS } from '../until.ts';
import { readFeed } from '../feed.ts';

export const AGENT = 'agent@acme.test';
export const REQUESTS = '/api/service-desk/requests';

export interface TicketLoad {
  /** Ticket ids, by the key of the command that raised each. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Answers of 503, each with a Retry-After. */
  readonly refused: () => number;
  /** Times of every answer and of every broken connection. */
  readonly slowestMs: () => number;
  /** Resolves when every pending request has been answered or has failed. */
  answered(): Promise<void>;
  /** Waits for further acknowledged commands. */
  more(count: number, withinMs?: number): Promise<void>;
  /**
   * Stops. Every caller repeats its last command until it is acknowledged, so that the stored
   * tickets are the acknowledged ones. Throws the first answer that was neither a success nor 503.
   */
  stop(): Promise<void>;
}

export interface TicketLoadOptions {
  /** Called before each request, so that a server may be replaced. */
  readonly servers: () => readonly ServerProcess[];
  /** Callers that create tickets. */
  readonly lanes: number;
  /** Callers that read lists and single tickets. Default 1. */
  readonly readers?: number;
}

export const ticketLoad = async ({
  servers,
  lanes,
  readers = 1,
}: TicketLoadOptions): Promise<TicketLoad> => {
  const buildingId = await buildingOf(servers()[0]!);
  const acknowledged = new Map<string, string>();
  const stopped = new AbortController();
  let refused = 0;
  let slowestMs = 0;
  let turn = 0;
  const underWay = new Set<Promise<unknown>>();

  /** `null`: to be asked again. */
  const asked = async (method: string, path: string, ask = {}): Promise<Reply | null> => {
    const all = servers();
    const began = performance.now();
    const server = all[turn++ % all.length]!;
    // How long one answer takes is measured.
    const answering = server
      .call(AGENT, method, path, { ...ask, mayBeStale: true })
      .catch(() => null);
    underWay.add(answering);
    const answer = await answering;
    underWay.delete(answering);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    if (answer === null) return null;
    if (answer.status < 300) return answer;
    if (answer.status !== 503 || answer.headers.get('retry-after') === null)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    refused += 1;
    return null;
  };

  const raise = async () => {
    while (!stopped.signal.aborted) {
      const key = randomUUID();
      const body = { buildingId, description: `Radiator ${key} does not get warm` };
      const ask = { body, headers: { 'idempotency-key': key } };
      for (;;) {
        const answer = await asked('POST', REQUESTS, ask);
        if (answer) acknowledged.set(key, answer.body.id);
        if (answer) break;
        await letPass(50, 'the pause before one asks again');
      }
      // Leaves the processor to the servers that start meanwhile.
      await letPass(20, 'the pause before the next');
    }
  };

  const read = async () => {
    while (!stopped.signal.aborted) {
      const list = await asked('GET', `${REQUESTS}?limit=5`);
      const one = [...acknowledged.values()].at(-1);
      if (list && one !== undefined) await asked('GET', `${REQUESTS}/${one}`);
      await letPass(50, 'the pause between two readings');
    }
  };

  const failed = new AbortController();
  const running = Promise.all(
    [...Array.from({ length: lanes }, raise), ...Array.from({ length: readers }, read)].map(
      async (lane) => {
        try {
          await lane;
        } catch (error) {
          failed.abort(error);
          stopped.abort();
          throw error;
        }
      },
    ),
  );
  // The error is thrown by `stop`.
  running.catch(() => {});

  return {
    acknowledged,
    refused: () => refused,
    slowestMs: () => slowestMs,
    async answered() {
      await Promise.all(underWay);
    },
    async more(count, withinMs = WAITS_MAX_MS) {
      const wanted = acknowledged.size + count;
      const enough = () => {
        failed.signal.throwIfAborted();
        return acknowledged.size >= wanted;
      };
      await until(enough, `${wanted} acknowledged`, { maxMs: withinMs });
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
};

export const buildingOf = async (server: ServerProcess): Promise<string> => {
  const { body } = await server.call(AGENT, 'GET', '/api/v1/buildings');
  return body.items[0].id;
};

export interface Listed {
  readonly id: string;
  readonly number: string;
  readonly state: string;
  readonly updatedAt: string;
}

/** Every ticket of the list, page by page. */
export const listed = async (server: ServerProcess): Promise<Listed[]> => {
  const items: Listed[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await server.call(AGENT, 'GET', `${REQUESTS}?limit=200&page=${page}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    items.push(...body.items);
    if (body.items.length < 200) return items;
  }
};

/** From the log: every ticket in the change feed, with the time of its last change. */
const changed = async (server: ServerProcess): Promise<ReadonlyMap<string, string>> => {
  const { items } = await readFeed<{ ticketId: string; ticket: Listed }>(async (after) => {
    const path = `/api/service-desk/changes?limit=500&after=${after}`;
    const { status, body } = await server.call(AGENT, 'GET', path);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }, '0');
  return new Map(items.map(({ ticketId, ticket }) => [ticketId, ticket.updatedAt]));
};

/** The list once it equals the log, without load. */
export const settled = async (server: ServerProcess): Promise<Listed[]> => {
  for (let before = await listed(server); ;) {
    const inLog = await changed(server);
    await letPass(250, 'a list that follows the log would have moved');
    const now = await listed(server);
    const shown = new Map(now.map(({ id, updatedAt }) => [id, updatedAt]));
    const followed = [...inLog].every(([id, at]) => (shown.get(id) ?? '') >= at);
    if (followed && isDeepStrictEqual(before, now)) return now;
    before = now;
  }
};

/**
 * Compares the list without `before` with the acknowledged tickets: each must be in it exactly
 * once, under a unique number, and no other.
 */
export const comparison = async (
  server: ServerProcess,
  before: readonly Listed[],
  acknowledged: ReadonlyMap<string, string>,
) => {
  const items = await listed(server);
  const shown = new Set(items.map(({ id }) => id));
  const known = new Set([...before.map(({ id }) => id), ...acknowledged.values()]);
  return {
    missing: [...known].filter((id) => !shown.has(id)).length,
    unknown: [...shown].filter((id) => !known.has(id)).length,
    twice: items.length - shown.size,
    numbersTwice: items.length - new Set(items.map(({ number }) => number)).size,
  };
};

/** The result of {@link comparison} without a difference. */
export const AGREES = { missing: 0, unknown: 0, twice: 0, numbersTwice: 0 };

/** Polls `/health/ready` four times a second. */
export const watchReadiness = (server: ServerProcess) => {
  const reasons = new Set<string>();
  const stopped = new AbortController();
  let slowestMs = 0;
  let green = true;
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const began = performance.now();
      const answer = await fetch(`${server.url}/health/ready`).catch(() => null);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      green = answer?.ok ?? false;
      const body = (await answer?.json().catch(() => ({}))) as { reasons?: string[] } | undefined;
      for (const reason of body?.reasons ?? []) reasons.add(reason);
      await letPass(250, 'the pause between two looks');
    }
  })();
  return {
    reasons,
    green: () => green,
    slowestMs: () => slowestMs,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
};
