/** Real NATS servers with JetStream: child processes on loopback, each in its own directory. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeze } from '../freeze.ts';
import { programOnPath } from '../programs.ts';
import { freePort } from '../servers/port.ts';
import { heldFor, letPass } from '../until.ts';

export interface NatsServer {
  readonly name: string;
  /** `nats://127.0.0.1:…` */
  readonly url: string;
  /** Id of the running process; `null`: none. */
  readonly pid: () => number | null;
  /** Resolves when it answers. @throws If it does not within a minute, with its last words. */
  start(): Promise<void>;
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGSTOP; resolves when it is stopped. And SIGCONT again. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends it and removes its messages. */
  release(): Promise<void>;
}

/** The server program's path; `null` where none is installed. Debian has it in `/usr/sbin`. */
export const natsProgram = (): string | null => programOnPath(['nats-server'], ['/usr/sbin']);

interface NatsServerOptions {
  /** Further lines of its configuration. */
  readonly config?: string;
}

/** One server, not started yet. Its messages outlive it. */
export const natsServer = async ({ config = '' }: NatsServerOptions = {}): Promise<NatsServer> =>
  serverOn(await freePort(), 'alone', config);

/** A cluster of three, not started yet. */
export const natsCluster = async (): Promise<readonly NatsServer[]> => {
  const names = ['a', 'b', 'c'];
  const ports = await Promise.all(names.map(() => freePort()));
  const routePorts = await Promise.all(names.map(() => freePort()));
  const routes = routePorts.map((port) => `nats-route://127.0.0.1:${port}`).join(', ');
  return names.map((name, at) =>
    serverOn(
      ports[at]!,
      name,
      `cluster { name: test, listen: "127.0.0.1:${routePorts[at]}", routes: [${routes}] }`,
    ),
  );
};

const serverOn = (port: number, name: string, more: string): NatsServer => {
  const program = natsProgram();
  const directory = mkdtempSync(join(tmpdir(), 'atrium-nats-'));
  const file = join(directory, 'nats.conf');
  writeFileSync(
    file,
    `server_name: ${name}
     listen: "127.0.0.1:${port}"
     jetstream { store_dir: ${JSON.stringify(join(directory, 'store'))} }
     ${more}`,
  );
  let running: ChildProcess | null = null;

  const kill = async () => {
    const child = running;
    running = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };

  return {
    name,
    url: `nats://127.0.0.1:${port}`,
    pid: () => running?.pid ?? null,

    async start() {
      if (program === null) throw new Error('there is no nats-server');
      const child = spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      running = child;
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2_000)));
      for (const until = performance.now() + 60_000; performance.now() < until;) {
        if (child.exitCode !== null || child.signalCode !== null) break;
        if (await greets(port)) return;
        await letPass(20, 'the pause between two looks');
      }
      throw new Error(`nats-server does not answer: ${said}`);
    },

    kill,

    freeze: () => freeze(running),
    thaw: () => running?.kill('SIGCONT'),

    async release() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** A server sends its greeting to each connection. */
const greets = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  const greeting = new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  const answer = await heldFor(greeting, 1_000);
  socket.destroy();
  return answer === true;
};
