/** A real S3 server, OpenStack Swift: one child process on loopback, in a directory of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { freeze } from '../freeze.ts';
import { programOnPath } from '../programs.ts';
import { freePort } from '../servers/port.ts';
import { until } from '../until.ts';

export interface S3Server {
  /** `http://127.0.0.1:…` */
  readonly endpoint: string;
  /** An existing bucket. */
  readonly bucket: string;
  /** Of the environment. */
  readonly credentials: {
    readonly AWS_ACCESS_KEY_ID: string;
    readonly AWS_SECRET_ACCESS_KEY: string;
  };
  /** Of `FILES_URL`. */
  url(prefix: string): string;
  /** Resolves when the bucket is there. */
  start(): Promise<void>;
  /** SIGSTOP; resolves when it is stopped. And SIGCONT again. */
  freeze(): Promise<void>;
  thaw(): void;
  /** SIGKILL; resolves when the process has ended. Its objects outlive it. */
  kill(): Promise<void>;
  /** Ends it and removes its objects. */
  release(): Promise<void>;
}

/** Whether the machine has it: Debian's `swift-proxy` and `swift-{account,container,object}`. */
export const hasS3Server = (): boolean =>
  ['proxy', 'account', 'container', 'object'].every(
    (part) => programOnPath([`swift-${part}-server`], ['/usr/bin']) !== null,
  );

const ACCESS_KEY = 'atrium:files';
const SECRET_KEY = 'of-the-tests-alone';
const BUCKET = 'attachments';

/** Not started yet. */
export const s3Server = async (): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let running: ChildProcess | null = null;

  const kill = async () => {
    const child = running;
    running = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };

  const makeBucket = async (): Promise<boolean> => {
    const signer = new AwsV4Signer({
      method: 'PUT',
      url: `${endpoint}/${BUCKET}`,
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET_KEY,
      service: 's3',
      region: 'us-east-1',
    });
    const { url, method, headers } = await signer.sign();
    const answer = await fetch(url, { method, headers }).catch(() => null);
    return answer !== null && (answer.status === 200 || answer.status === 409);
  };

  return {
    endpoint,
    bucket: BUCKET,
    credentials: { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY },
    url: (prefix) => `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(endpoint)}`,

    async start() {
      const program = join(import.meta.dirname, 'object-server.py');
      // Debian's own: the packages are of that one.
      const child = spawn(
        '/usr/bin/python3',
        [program, directory, String(port), ACCESS_KEY, SECRET_KEY],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      );
      running = child;
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2_000)));
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`the S3 server has ended: ${said}`);
        return makeBucket();
      }, 'the bucket');
    },

    kill,
    freeze: () => freeze(running),
    thaw: () => void running?.kill('SIGCONT'),

    async release() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
