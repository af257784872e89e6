/**
 * A real EventStoreDB for the tests: the one at `EVENTSTORE_URL`, else a server program on the
 * PATH, on a directory and ports of its own, ended by its process id, else a container.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { TestProject } from 'vitest/node';
import { parse } from 'yaml';
import { freePort } from './port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the server of this run; empty where there is none. */
    eventstoreUrl: string;
  }
}

/** A server whose end and whose silence a test decides on. */
export interface EventStoreServer {
  readonly url: string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<void>;
  /** On the same directory and port; resolves when it answers. */
  start(): Promise<void>;
  /** SIGSTOP, and SIGCONT again. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its directory. */
  release(): Promise<void>;
}

/** The server program's path; `null` where none is installed. */
export const eventstoreProgram = (): string | null => {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const paths = ['eventstored', 'kurrentd'].flatMap((name) =>
    directories.map((directory) => join(directory, name)),
  );
  return paths.find(isProgram) ?? null;
};

/** @throws If the program does not answer within a minute; its last words are in the text. */
export const eventstoreServer = async (program: string): Promise<EventStoreServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-eventstore-'));
  const [port, replicationPort] = [await freePort(), await freePort()];
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  let running: ChildProcess | null = null;

  const start = async () => {
    const child = spawn(program, [], {
      env: {
        ...ownEnvironment(),
        EVENTSTORE_TELEMETRY_OPTOUT: 'true',
        EVENTSTORE_INSECURE: 'true',
        EVENTSTORE_RUN_PROJECTIONS: 'None',
        EVENTSTORE_DB: join(directory, 'db'),
        EVENTSTORE_LOG: join(directory, 'log'),
        EVENTSTORE_NODE_IP: '127.0.0.1',
        EVENTSTORE_REPLICATION_IP: '127.0.0.1',
        EVENTSTORE_NODE_PORT: String(port),
        EVENTSTORE_REPLICATION_PORT: String(replicationPort),
      },
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = child;
    let said = '';
    const listen = (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2_000));
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    for (const givenUpAt = Date.now() + 60_000; Date.now() < givenUpAt; await sleep(100)) {
      if (child.exitCode !== null || child.signalCode !== null) break;
      if (await answers(url)) return;
    }
    throw new Error(`${program} does not answer: ${said}`);
  };

  const end = async (signal: NodeJS.Signals) => {
    const child = running;
    running = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };

  await start();
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => running?.kill('SIGSTOP'),
    thaw: () => running?.kill('SIGCONT'),
    async release() {
      running?.kill('SIGCONT');
      await end('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/**
 * For the whole run. Where there is no server it fails if `EVENTSTORE_REQUIRED` is set, and else
 * leaves the tests to skip themselves by name.
 */
export default async function eventstore(project: TestProject) {
  const given = process.env['EVENTSTORE_URL'];
  if (given) {
    project.provide('eventstoreUrl', given);
    return () => {};
  }
  const program = eventstoreProgram();
  if (!program) {
    const container = await eventstoreContainer();
    if (container) {
      project.provide('eventstoreUrl', container.url);
      return container.release;
    }
    if (process.env['EVENTSTORE_REQUIRED'])
      throw new Error(
        'no EventStoreDB: set EVENTSTORE_URL, put eventstored on the PATH, or run Docker',
      );
    project.provide('eventstoreUrl', '');
    return () => {};
  }
  const server = await eventstoreServer(program);
  project.provide('eventstoreUrl', server.url);
  return () => server.release();
}

/** The image of docker-compose.yml, where a Docker engine answers; else `null`. */
const eventstoreContainer = async () => {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return null;
  }
  const compose = parse(
    readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8'),
  ) as { services: { eventstore: { image: string } } };
  const container = await new GenericContainer(compose.services.eventstore.image)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_TELEMETRY_OPTOUT: 'true',
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start();
  const url = `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`;
  return { url, release: async () => void (await container.stop()) };
};

/** Without what is meant for the tests: the server refuses to start on an option unknown to it. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(EVENTSTORE|KURRENTDB)_/.test(name)),
  );

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** It answers once it leads: before that it takes reads, and no appends. */
const answers = async (url: string): Promise<boolean> => {
  const client = EventStoreDBClient.connectionString(url);
  try {
    await client.deleteStream('test-starting', {
      expectedRevision: 'any',
      credentials: { username: 'nobody', password: 'none' },
      deadline: 1_000,
    });
    return true;
  } catch (error) {
    // An answer all the same: there is no such stream.
    return error instanceof Error && /WrongExpectedVersion/.test(error.message);
  } finally {
    await client.dispose();
  }
};
