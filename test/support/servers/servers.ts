/** The servers of one test, ended with it however it ends. */
import { freePort } from './port.ts';
import { familyIn, killPostgres } from '../postgres/server-processes.ts';
import { spawnServer, type ServerProcess } from './server.ts';
import { until } from '../until.ts';

export interface Servers {
  /** Resolves when it is ready and the demo is in its log. */
  start(env: Record<string, string>, entry?: string): Promise<ServerProcess>;
  /** Resolves when its process is there; it may never be ready. */
  spawn(env: Record<string, string>, entry?: string): Promise<ServerProcess>;
  release(): Promise<void>;
}

export const servers = (): Servers => {
  const running: ServerProcess[] = [];
  const directories = new Set<string>();
  const spawn = async (env: Record<string, string>, entry?: string) => {
    const server = await spawnServer({ PORT: String(await freePort()), ...env }, entry);
    running.push(server);
    if (env['ATRIUM_DATA']) directories.add(env['ATRIUM_DATA']);
    return server;
  };
  return {
    spawn,
    async start(env, entry) {
      const server = await spawn(env, entry);
      await server.ready();
      // Its last word when it starts.
      await until(() => server.output().includes('Stop with Ctrl-C'), 'the start');
      return server;
    },
    async release() {
      for (const server of running.splice(0)) {
        await server.signal('SIGCONT');
        await server.signal('SIGKILL');
      }
      // An embedded Postgres outlives a server that was killed.
      for (const directory of directories)
        if (familyIn(directory).length > 0) await killPostgres(directory);
    },
  };
};
