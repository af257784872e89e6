/** A proxy between a client and its Postgres, which injects network faults. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { letPass } from '../until.ts';

export interface PostgresProxy {
  readonly url: string;
  /** Delays every message from now on, in either direction. */
  delay(ms: number): void;
  /** Withholds every message until it is turned off. */
  hang(on: boolean): void;
  /** Drops every message, until it is turned off. */
  drop(on: boolean): void;
  /** Ends every connection and accepts no more, until it is restored. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /**
   * Cuts the next connection over which the client sends `text` as soon as Postgres has answered:
   * the statement is carried out, and its reply is lost.
   */
  loseReplyTo(text: string): void;
  /** Number of lost replies so far. */
  readonly lost: number;
  /** Sends the rest of an answer after these bytes in another packet, a moment later. */
  splitAfter(bytes: Buffer): void;
  /** Delays from now on the end of a connection by Postgres. */
  endLate(ms: number): void;
  close(): Promise<void>;
}

const SPLIT_MS = 20;

/** @param url Of a Postgres that is reached over a socket file. */
export const proxyTo = async (url: string): Promise<PostgresProxy> => {
  const target = new URL(url);
  const socket = join(target.searchParams.get('host')!, '.s.PGSQL.5432');
  const directory = mkdtempSync(join(tmpdir(), 'proxy-'));
  const open = new Set<Socket>();
  const losing: string[] = [];
  let [delayMs, lateMs, lost] = [0, 0, 0];
  let dropping = false;
  let splitting: Buffer | null = null;
  let free = Promise.resolve();
  let release = () => {};
  let server: Server | null = null;

  /** @param takes Whether a message is forwarded. @param end Called after the last one. */
  const pass = async (
    from: Socket,
    to: Socket,
    takes: (data: Buffer) => boolean,
    end: () => unknown,
  ) => {
    try {
      for await (const chunk of from) {
        const data = chunk as Buffer;
        if (dropping || !takes(data)) continue;
        if (delayMs > 0) await letPass(delayMs, 'a slow network');
        await free;
        const at = splitting === null ? -1 : data.indexOf(splitting);
        const end = at < 0 ? data.length : at + splitting!.length;
        to.write(data.subarray(0, end));
        if (end === data.length) continue;
        await letPass(SPLIT_MS, 'the next packet');
        to.write(data.subarray(end));
      }
      await end();
    } catch {
      to.destroy();
    }
  };

  const accept = (client: Socket) => {
    const postgres = connect({ path: socket, allowHalfOpen: true });
    let deaf = false;
    for (const end of [client, postgres]) {
      open.add(end);
      end.on('error', () => {});
      end.on('close', () => open.delete(end));
    }
    client.on('close', () => postgres.destroy());
    const asks = (data: Buffer) => {
      const at = losing.findIndex((text) => data.includes(text));
      if (at < 0) return true;
      losing.splice(at, 1);
      deaf = true;
      return true;
    };
    const answers = () => {
      if (!deaf) return true;
      lost += 1;
      client.destroy();
      return false;
    };
    void pass(client, postgres, asks, () => postgres.end());
    void pass(postgres, client, answers, async () => {
      if (lateMs > 0) await letPass(lateMs, 'word of the end comes late');
      client.end();
    });
  };

  const mend = async () => {
    server = createServer({ allowHalfOpen: true }, accept);
    server.listen(join(directory, '.s.PGSQL.5432'));
    await once(server, 'listening');
  };
  const cut = async () => {
    const old = server;
    server = null;
    for (const end of open) end.destroy();
    if (!old) return;
    old.close();
    await once(old, 'close');
  };

  await mend();
  target.searchParams.set('host', directory);
  return {
    url: target.href,
    delay: (ms) => void (delayMs = ms),
    hang(on) {
      release();
      if (on) free = new Promise((resolve) => (release = resolve));
    },
    drop: (on) => void (dropping = on),
    cut,
    mend,
    loseReplyTo: (text) => void losing.push(text),
    get lost() {
      return lost;
    },
    splitAfter: (bytes) => void (splitting = bytes),
    endLate: (ms) => void (lateMs = ms),
    async close() {
      release();
      await cut();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
