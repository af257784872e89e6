/** A load balancer with keep-alive connections and readiness checks. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { ServerProcess } from './server.ts';
import { letPass, until } from '../until.ts';

export interface Balancer {
  readonly url: string;
  /** Errors of requests that no server answered. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

const LOOKS_EVERY_MS = 100;

/** Sends each request once, round-robin to the servers that were ready at the last check. */
export const balancer = async (upstreams: readonly ServerProcess['url'][]): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const closing = new AbortController();
  const ready = new Set<string>();
  let turn = 0;

  const look = async (upstream: string) => {
    const answer = await fetch(`${upstream}/health/ready`).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.ok) ready.add(upstream);
    else ready.delete(upstream);
  };
  const looking = upstreams.map(async (upstream) => {
    while (!closing.signal.aborted) {
      await look(upstream);
      await letPass(LOOKS_EVERY_MS, 'the pause between two looks');
    }
  });

  const balance = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    try {
      // On a busy machine a server may be too slow for a single readiness check.
      await until(() => ready.size > 0, 'a server that is ready');
      const chosen = [...ready][turn++ % ready.size]!;
      const { connection: _theirs, ...asked } = headers;
      const passed = send(chosen + url, { method, headers: asked, agent });
      request.pipe(passed);
      const [answer] = (await once(passed, 'response')) as [IncomingMessage];
      const { connection: _its, ...passedOn } = answer.headers;
      response.writeHead(answer.statusCode!, passedOn);
      await pipeline(answer, response);
    } catch (error) {
      failures.push(`${method} ${url}: ${String(error)}`);
      response.destroy();
    }
  };
  const server = createServer((...exchange) => void balance(...exchange));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await Promise.all(upstreams.map(look));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    async close() {
      closing.abort();
      await Promise.all(looking);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
};
