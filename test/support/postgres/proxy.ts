import { connect, createServer, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket in front of Postgres that can swallow its answers, or cut the line. */
export interface Proxy {
  readonly url: string;
  /**
   * The next connection over which the client sends `text` is cut as soon as Postgres has
   * answered: what was asked is done, and the client never hears of it.
   */
  loseReplyTo(text: string): void;
  /** How many replies were lost so far. */
  readonly lost: number;
  /** From now on a client hears so much later that Postgres has ended its connection. */
  endLate(ms: number): void;
  /** Passes nothing on in either direction, until it is turned off. */
  hang(on: boolean): void;
  close(): Promise<void>;
}

export const proxyTo = async (url: string): Promise<Proxy> => {
  const target = new URL(url);
  const socket = join(target.searchParams.get('host')!, '.s.PGSQL.5432');
  const directory = mkdtempSync(join(tmpdir(), `p-${randomUUID().slice(0, 8)}`));
  const open = new Set<Socket>();
  const losing: string[] = [];
  let lost = 0;
  let hanging = false;
  let lateMs = 0;

  const server = createServer((client) => {
    const postgres = connect(socket);
    let deaf = false;
    for (const end of [client, postgres]) {
      open.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        open.delete(end);
        postgres.destroy();
        if (end === postgres && lateMs > 0) setTimeout(() => client.destroy(), lateMs);
        else client.destroy();
      });
    }
    client.on('data', (data) => {
      if (hanging) return;
      const at = losing.findIndex((text) => data.includes(text));
      if (at >= 0) {
        losing.splice(at, 1);
        deaf = true;
      }
      postgres.write(data);
    });
    postgres.on('data', (data) => {
      if (hanging) return;
      if (!deaf) {
        client.write(data);
        return;
      }
      lost += 1;
      client.destroy();
    });
  });
  server.listen(join(directory, '.s.PGSQL.5432'));
  await once(server, 'listening');
  target.searchParams.set('host', directory);
  return {
    url: target.href,
    loseReplyTo: (text) => void losing.push(text),
    get lost() {
      return lost;
    },
    endLate(ms) {
      lateMs = ms;
    },
    hang(on) {
      hanging = on;
    },
    async close() {
      for (const end of open) end.destroy();
      server.close();
      await once(server, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
