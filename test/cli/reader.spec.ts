/** A reader of the output that closes the pipe, as `head` does. docs/guides/command-line.md. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI } from '../support/servers/cli.ts';
import { programEnvironment } from '../support/servers/environment.ts';
import { temporaryDirectory } from '../support/directory.ts';

const home = temporaryDirectory('cli');

/** A list that never ends, in pages of more than a pipe holds. */
const server = createServer((_, response) => {
  const items = Array.from({ length: 2_000 }, (_, at) => ({ keyId: String(at).padStart(64) }));
  const nextCursor = String(Math.random());
  response.setHeader('content-type', 'application/json').setHeader('x-request-id', 'r');
  response.end(JSON.stringify({ items, nextCursor }));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each(['--help', 'api GET keys/audit', 'api GET keys/audit --paginate', 'tickets export -'])(
  'ends the command quietly: %s',
  async (words) => {
    const { port } = server.address() as AddressInfo;
    const child = spawn(process.execPath, [CLI, ...words.split(' ')], {
      env: {
        ...programEnvironment(),
        ATRIUM_TOKEN: 't',
        ATRIUM_URL: `http://127.0.0.1:${port}`,
        XDG_CONFIG_HOME: home,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, err]).toEqual([0, '']);
  },
);
