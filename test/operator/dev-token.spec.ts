/** `atrium dev-token`: the server that it calls. contract.md section 10. */
import { expect, it } from 'vitest';
import { runAtrium } from '../support/servers/cli.ts';
import { freePort } from '../support/servers/port.ts';

it.each([
  ['the server on PORT', (port: number) => ({ PORT: String(port) })],
  [
    'the server at ATRIUM_URL, whatever PORT says',
    (port: number) => ({ ATRIUM_URL: `http://localhost:${port}`, PORT: '1' }),
  ],
])('asks %s', async (_, env) => {
  const port = await freePort();
  const { code, err } = await runAtrium(env(port), 'dev-token', 'agent@acme.test');
  expect(code).toBe(1);
  expect(err).toBe(
    `atrium: no server answers at http://localhost:${port}; start one with npm start\n`,
  );
});
