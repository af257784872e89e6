/** How the server and the command are selected. contract.md section 10. */
import { describe, expect, it } from 'vitest';
import manifest from '../../packages/cli/package.json' with { type: 'json' };
import { serverAddress } from '../../packages/cli/src/session/server-address.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium } from '../support/servers/cli.ts';

describe('the address of a server', () => {
  it.each(['http://localhost:4812', 'https://atrium.example', 'http://a.sandbox.localhost:4000'])(
    'can be %s',
    (written) => expect(serverAddress(written)).toBe(written),
  );

  it.each([
    ['localhost:4812', 'http://localhost:4812'],
    ['a.sandbox.localhost:4000', 'http://a.sandbox.localhost:4000'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['atrium.example', 'https://atrium.example'],
    ['atrium.example:8443', 'https://atrium.example:8443'],
    ['ftp://atrium.example', 'https:// and its name'],
    ['a server', 'https:// and its name'],
  ])('cannot be %s; the error proposes %s', (written, meant) =>
    expect(() => serverAddress(written)).toThrow(
      `${written} is not the address of a server; write ${meant}`,
    ),
  );

  it.each([
    ['of --url', ['whoami', '--url', 'localhost:4812'], { ATRIUM_TOKEN: 't' }],
    ['of ATRIUM_URL', ['whoami'], { ATRIUM_TOKEN: 't', ATRIUM_URL: 'localhost:4812' }],
    ['of who signs in', ['login', '--url', 'localhost:4812'], {}],
    ['of dev-token', ['dev-token', 'agent@acme.test'], { ATRIUM_URL: 'localhost:4812' }],
  ])('without its scheme is refused in one line: that %s', async (_, words, env) => {
    const home = { XDG_CONFIG_HOME: temporaryDirectory('cli') };
    expect(await runAtrium({ ...home, ...env }, ...words)).toEqual({
      code: 1,
      out: '',
      err: 'atrium: localhost:4812 is not the address of a server; write http://localhost:4812\n',
    });
  });
});

it.each(['--version', '-V'])('atrium %s prints the version, and the commit', async (option) =>
  expect(await runAtrium({ ATRIUM_COMMIT: '4f2a9c1e5b7d' }, option)).toEqual({
    code: 0,
    out: `${manifest.version} (4f2a9c1e)\n`,
    err: '',
  }),
);
