/** One browser session at two processes, against the real issuer. contract.md section 2. */
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { browserLike } from '../support/api/signed-in.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';

const TABS = 32;
const EXPIRIES = 5;

const running = servers();
afterAll(() => running.release());

it('is renewed once per expiry, for many tabs of both servers, without a sign-out', async () => {
  const { url: DATABASE_URL } = await freshDatabase();
  const shared = { DATABASE_URL, ATRIUM_DATA: temporaryDirectory('two-sessions') };
  const first = await running.start(shared);
  const port = String(await freePort());
  // The first one is the issuer, which rotates refresh tokens and ends the session of a used one.
  await running.start({
    ...shared,
    PORT: port,
    PUBLIC_URL: first.url,
    OIDC_ISSUER: `${first.url}/dev/oidc`,
  });
  const addresses = [first.url, `http://localhost:${port}`];
  const browser = browserLike(first.url);
  await browser.signIn('agent@acme.test');

  const database = new Client({ connectionString: DATABASE_URL });
  await database.connect();
  try {
    for (let expiry = 1; expiry <= EXPIRIES; expiry += 1) {
      await database.query(
        `update session.session
            set renew_at = now() - interval '1 minute',
                token_ends_at = now() - interval '1 second'`,
      );
      const answers = await Promise.all(
        Array.from({ length: TABS }, (_, tab) =>
          browser.ask('/session', { address: addresses[tab % addresses.length]! }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const { rows } = await database.query('select rotation from session.session');
      expect(rows).toEqual([{ rotation: expiry }]);
    }
  } finally {
    await database.end();
  }
});
