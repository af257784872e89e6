import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/** Above those that browsers refuse, and below those that outgoing connections get. */
const FIRST = 10_100;
const SLICES = 220;
const SLICE_PORTS = 100;

/** By process and thread, so that two of them that draw at once do not draw the same one. */
const slice = (process.pid + threadId * 37) % SLICES;
declare global {
  /** By all copies of this module: each project's set-up of a run loads its own. */
  var portsDrawn: number | undefined;
}

/**
 * A port that was free a moment ago, for servers whose address must be known before they listen.
 * Not drawn again by this process for a long time.
 */
export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < SLICE_PORTS; tried += 1) {
    const drawn = globalThis.portsDrawn ?? 0;
    globalThis.portsDrawn = drawn + 1;
    const port = FIRST + slice * SLICE_PORTS + (drawn % SLICE_PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error('there is no free port');
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((done, fail) => {
    const server = createServer().on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(false);
      else fail(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
