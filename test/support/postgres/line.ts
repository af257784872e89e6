/** A line between a server and its Postgres that can be slow, silent, or cut. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Line {
  readonly url: string;
  /** Every message takes so long from here on, in either direction. */
  delay(ms: number): void;
  /** Passes nothing on, and answers nobody, until it is set free. */
  hang(on: boolean): void;
  /** Ends every connection and takes no more, until it is up again. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** @param url Of a Postgres that is reached over a socket file. */
export const lineTo = async (url: string): Promise<Line> => {
  const target = new URL(url);
  const socket = join(target.searchParams.get('host')!, '.s.PGSQL.5432');
  const directory = mkdtempSync(join(tmpdir(), 'line-'));
  const path = join(directory, '.s.PGSQL.5432');
  const open = new Set<Socket>();
  let delayMs = 0;
  let free = Promise.resolve();
  let release = () => {};
  let server: Server | null = null;

  const pass = async (from: Socket, to: Socket) => {
    try {
      for await (const data of from) {
        if (delayMs > 0) await sleep(delayMs);
        await free;
        to.write(data as Buffer);
      }
      to.end();
    } catch {
      to.destroy();
    }
  };

  const mend = async () => {
    server = createServer({ allowHalfOpen: true }, (client) => {
      const postgres = connect({ path: socket, allowHalfOpen: true });
      for (const end of [client, postgres]) {
        open.add(end);
        end.on('error', () => {});
        end.on('close', () => open.delete(end));
      }
      void pass(client, postgres);
      void pass(postgres, client);
    });
    server.listen(path);
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
    cut,
    mend,
    async close() {
      release();
      await cut();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
