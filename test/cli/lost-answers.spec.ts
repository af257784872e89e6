/** What a command says where the answer that had the secret was lost, and its retry has none. */
import { expect, it } from 'vitest';
import { keyMinted } from '../../packages/cli/src/user/keys.ts';
import { createAtrium } from '../../packages/sdk/src/index.ts';

const KEY_ID = '2b8Jk3PqLm5TzXv0aW1cDe';

/** A server whose first answer is lost, and which has minted the key all the same. */
const losingFirst = () => {
  const sent: (string | null)[] = [];
  const fetch = async ({ headers }: Request) => {
    sent.push(headers.get('idempotency-key'));
    if (sent.length === 1) throw new TypeError('fetch failed');
    return Response.json({ keyId: KEY_ID, label: 'ci', scope: 'sandbox' }, { status: 201 });
  };
  return { sent, client: createAtrium({ url: 'http://atrium.test', token: 't', fetch }) };
};

it('fails a mint whose token was lost, and names the key to revoke', async () => {
  const { sent, client } = losingFirst();
  const minted = keyMinted(client, { label: 'ci', scope: 'sandbox' });
  await expect(minted).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(`atrium keys revoke ${KEY_ID}, and mint another`),
  });
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBe(sent[1]);
});
