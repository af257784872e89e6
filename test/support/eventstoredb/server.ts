/**
 * A real EventStoreDB for the tests: the one at `EVENTSTORE_URL`, else a server program on the
 * PATH, on its own directory and ports, ended by its process id, else a container.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { parse } from 'yaml';
import { eventstoreNode, takesAppends, type EventStoreNode } from './node.ts';
import { programOnPath } from '../programs.ts';
import { freePort } from '../servers/port.ts';
import { sharedInRun } from '../shared-in-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the server of this run. */
    eventstoreUrl: string;
  }
}

/** A server that a test can kill, freeze and restart on the same port. */
export interface EventStoreServer extends EventStoreNode {
  readonly url: string;
  readonly port: number;
  /** Where it keeps its log; copied only while it is stopped. */
  readonly database: string;
  /** Ends it and removes its directory. */
  release(): Promise<void>;
}

/** The server program's path; `null` where none is installed. */
export const eventstoreProgram = (): string | null => programOnPath(['eventstored', 'kurrentd']);

/**
 * @param options Of the server itself. Default: none but that it needs no certificate.
 * @throws If the program does not answer within a minute; its last words are in the text.
 */
export const eventstoreServer = async (
  program: string,
  options: Readonly<Record<string, string>> = {},
): Promise<EventStoreServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-eventstore-'));
  const [port, replicationPort] = [await freePort(), await freePort()];
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  const node = eventstoreNode({
    program,
    directory,
    port,
    replicationPort,
    options: { INSECURE: 'true', ...options },
    answers: () => takesAppends(url),
  });
  await node.start();
  return {
    ...node,
    url,
    port,
    database: join(directory, 'db'),
    async release() {
      node.thaw();
      await node.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** For the whole run. @throws If no server is available. */
export default async function eventstore(project: TestProject) {
  const given = process.env['EVENTSTORE_URL'];
  if (given) {
    project.provide('eventstoreUrl', given);
    return () => {};
  }
  const { made, release } = await sharedInRun('eventstore', serverOfRun, (server) =>
    server.release(),
  );
  project.provide('eventstoreUrl', made.url);
  return release;
}

const serverOfRun = async () => {
  const program = eventstoreProgram();
  const server = program ? await eventstoreServer(program) : await eventstoreContainer();
  if (server) return server;
  throw new Error(
    'no EventStoreDB: set EVENTSTORE_URL, put eventstored on the PATH, or run Docker',
  );
};

/** The image of docker-compose.yml, where a Docker engine answers; else `null`. */
const eventstoreContainer = async () => {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return null;
  }
  const compose = parse(
    readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'),
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
