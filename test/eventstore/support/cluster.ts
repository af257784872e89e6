/** A cluster of three EventStoreDB nodes, and a single server with TLS. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ADMIN,
  eventstoreNode,
  takesAppends,
  type EventStoreNode,
} from '../../support/eventstoredb/node.ts';
import { freePort } from '../../support/servers/port.ts';

export interface EventStoreCluster {
  /** Connection string of all three. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  /** The leader by the majority of answering nodes; `null`: none. */
  leader(): Promise<ClusterNode | null>;
  /** Ends them and removes their directories. */
  release(): Promise<void>;
}

export interface ClusterNode extends EventStoreNode {
  readonly port: number;
  /** Connection string of this node only. */
  readonly url: string;
}

interface Member {
  readonly state: string;
  readonly isAlive: boolean;
  readonly httpEndPointPort: number;
}

/** @throws If no leader is elected and followed by the other two within a minute. */
export const eventstoreCluster = async (program: string): Promise<EventStoreCluster> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-eventstore-cluster-'));
  const ports: number[] = [];
  for (let count = 0; count < 6; count += 1) ports.push(await freePort());
  const http = ports.slice(0, 3);
  const nodes = http.map((port, index): ClusterNode => {
    const others = http.filter((other) => other !== port);
    const node = eventstoreNode({
      program,
      directory: join(directory, String(index)),
      port,
      replicationPort: ports[index + 3]!,
      restarts: 4,
      options: {
        INSECURE: 'true',
        CLUSTER_SIZE: '3',
        DISCOVER_VIA_DNS: 'false',
        GOSSIP_SEED: others.map((other) => `127.0.0.1:${other}`).join(','),
        GOSSIP_INTERVAL_MS: '500',
        GOSSIP_TIMEOUT_MS: '1000',
      },
      answers: async () => {
        const states = (await members(port)).map(({ isAlive, state }) => isAlive && state);
        return (
          states.includes('Leader') && states.filter((state) => state === 'Follower').length === 2
        );
      },
    });
    return { ...node, port, url: `esdb://127.0.0.1:${port}?tls=false` };
  });

  const release = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await release();
    throw error;
  }
  return {
    url: `esdb://${http.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`,
    nodes,
    async leader() {
      const views = await Promise.all(http.map(members));
      const votes = views.flatMap((view) =>
        view.filter(({ isAlive, state }) => isAlive && state === 'Leader'),
      );
      const count = (port: number) =>
        votes.filter(({ httpEndPointPort }) => httpEndPointPort === port).length;
      return nodes.find(({ port }) => count(port) >= 2) ?? null;
    },
    release,
  };
};

/** The members of the cluster by a node's gossip; empty if it does not answer. */
const members = async (port: number): Promise<readonly Member[]> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/gossip?format=json`, {
      signal: AbortSignal.timeout(1_000),
    });
    return ((await answer.json()) as { members?: Member[] }).members ?? [];
  } catch {
    return [];
  }
};

export interface TlsServer extends EventStoreNode {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Certificates of the authority of the server's certificate, and of another one. */
  readonly caFile: string;
  readonly otherCaFile: string;
  /** Ends it and removes its directory. */
  release(): Promise<void>;
}

/** @throws If it does not answer within a minute. */
export const tlsServer = async (program: string): Promise<TlsServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-eventstore-tls-'));
  const [port, replicationPort] = [await freePort(), await freePort()];
  const host = `127.0.0.1:${port}`;
  const { ca, otherCa, certificate, key, roots } = certificates(directory);
  const node = eventstoreNode({
    program,
    directory: join(directory, 'node'),
    port,
    replicationPort,
    options: {
      CERTIFICATE_FILE: certificate,
      CERTIFICATE_PRIVATE_KEY_FILE: key,
      TRUSTED_ROOT_CERTIFICATES_PATH: roots,
    },
    answers: () =>
      takesAppends(`esdb://${ADMIN.username}:${ADMIN.password}@${host}?tlsCAFile=${ca}`),
  });
  const release = async () => {
    await node.kill();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await node.start();
  } catch (error) {
    await release();
    throw error;
  }
  return { ...node, host, caFile: ca, otherCaFile: otherCa, release };
};

const certificates = (directory: string) => {
  const at = (name: string) => join(directory, name);
  const made = (words: string) =>
    execFileSync('openssl', words.split(' '), { cwd: directory, stdio: 'ignore' });
  const authority = (name: string, file: string) =>
    made(`${REQUEST} -subj /CN=${name} -keyout ${name}.key -out ${file}`);
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
  mkdirSync(at('roots'));
  authority('ca', 'roots/ca.crt');
  authority('other', 'other.crt');
  made(
    `${REQUEST} -subj /CN=eventstoredb-node -addext ${names} ` +
      '-addext basicConstraints=critical,CA:FALSE ' +
      '-addext extendedKeyUsage=serverAuth,clientAuth ' +
      '-CA roots/ca.crt -CAkey ca.key -keyout node.key -out node.crt',
  );
  return {
    ca: at('roots/ca.crt'),
    otherCa: at('other.crt'),
    certificate: at('node.crt'),
    key: at('node.key'),
    roots: at('roots'),
  };
};

const REQUEST = 'req -x509 -newkey rsa:2048 -nodes -days 2';
