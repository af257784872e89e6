/** One process of an EventStoreDB server program, on a directory that outlives it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { freeze } from '../freeze.ts';
import { letPass } from '../until.ts';

export interface EventStoreNode {
  /** Resolves when it answers. @throws If it does not within a minute, with its last words. */
  start(): Promise<void>;
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>;
  /** SIGSTOP; resolves when it is stopped. And SIGCONT again. */
  freeze(): Promise<void>;
  thaw(): void;
}

interface NodeOptions {
  readonly program: string;
  /** Holds its database and its log files. */
  readonly directory: string;
  readonly port: number;
  readonly replicationPort: number;
  /** The server's options, as variables without their prefix: `{ INSECURE: 'true' }`. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether it is ready for the tests. */
  answers(): Promise<boolean>;
  /**
   * How often one start begins again when the process ends by itself, as a supervisor would: a
   * member of a cluster that has to truncate its log ends before and after it. Default: never.
   */
  readonly restarts?: number;
}

export const eventstoreNode = (node: NodeOptions): EventStoreNode => {
  const { program, directory, port, replicationPort, answers } = node;
  let running: ChildProcess | null = null;
  mkdirSync(directory, { recursive: true });
  const options: Record<string, string> = {
    TELEMETRY_OPTOUT: 'true',
    RUN_PROJECTIONS: 'None',
    DB: join(directory, 'db'),
    LOG: join(directory, 'log'),
    NODE_IP: '127.0.0.1',
    REPLICATION_IP: '127.0.0.1',
    NODE_PORT: String(port),
    REPLICATION_PORT: String(replicationPort),
    ...node.options,
  };
  const variables = Object.entries(options).map(([name, value]) => [`EVENTSTORE_${name}`, value]);

  const end = async (signal: NodeJS.Signals) => {
    const child = running;
    running = null;
    if (!child || hasEnded(child)) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };

  const spawned = () => {
    const child = spawn(program, [], {
      env: { ...ownEnvironment(), ...Object.fromEntries(variables) },
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { child, last: '' };
    const listen = (text: Buffer) =>
      (output.last = `${output.last}${text.toString()}`.slice(-2_000));
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    running = child;
    return output;
  };

  return {
    async start() {
      let { restarts = 0 } = node;
      let output = spawned();
      for (
        const givenUpAt = Date.now() + 150_000;
        Date.now() < givenUpAt;
        await letPass(100, 'the pause')
      ) {
        if (running !== output.child) throw new Error(`${program} was ended while it started`);
        if (hasEnded(output.child)) {
          if (restarts === 0) break;
          restarts -= 1;
          output = spawned();
        }
        if (await answers()) return;
      }
      await end('SIGKILL');
      throw new Error(`${program} does not answer: ${output.last}`);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => freeze(running),
    thaw: () => running?.kill('SIGCONT'),
  };
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** A node accepts appends once it is the leader, and only reads before that. */
export const takesAppends = async (url: string): Promise<boolean> => {
  const client = EventStoreDBClient.connectionString(url);
  try {
    await client.deleteStream('test-starting', {
      expectedRevision: 'any',
      // Ignored by a server without TLS; the initial credentials of one with TLS.
      credentials: ADMIN,
      deadline: 1_000,
    });
    return true;
  } catch (error) {
    // This is an answer too: there is no such stream.
    return error instanceof Error && /WrongExpectedVersion/.test(error.message);
  } finally {
    await client.dispose();
  }
};

/** The initial credentials of a new server. */
export const ADMIN = { username: 'admin', password: 'changeit' };

/** Without variables of the tests: the server refuses to start with an unknown option. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(EVENTSTORE|KURRENTDB)_/.test(name)),
  );
