/** The servers of one test, ended with it however it ends. */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './port.ts';
import { spawnServer, type ServerProcess } from './server.ts';
import { AGENT, REQUESTS } from './ticket-load.ts';

export interface Servers {
  /** Resolves when it is ready and shows the tickets of the demo. */
  start(env: Record<string, string>): Promise<ServerProcess>;
  release(): Promise<void>;
}

export const servers = (): Servers => {
  const running: ServerProcess[] = [];
  return {
    async start(env) {
      const server = await spawnServer({ PORT: String(await freePort()), ...env });
      running.push(server);
      await server.ready();
      // Its last word when it starts: by then the demo is in the log.
      while (!server.output().includes('Stop with Ctrl-C')) await sleep(20);
      await shown(server);
      return server;
    },
    async release() {
      for (const server of running.splice(0)) {
        await server.signal('SIGCONT');
        await server.signal('SIGKILL');
      }
    },
  };
};

/** The list stands still: it has followed the log. */
const shown = async (server: ServerProcess): Promise<void> => {
  const list = async () => (await server.call(AGENT, 'GET', REQUESTS)).body as unknown;
  for (let before = await list(); ;) {
    await sleep(250);
    const now = await list();
    if (isDeepStrictEqual(before, now)) return;
    before = now;
  }
};
