import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as(AGENT);

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** As it comes over the wire: `fetch` would unpack it. */
const answerTo = async (path: string, accept: Record<string, string>): Promise<Answer> => {
  const authorization = `Bearer ${await platform.issuer.tokenOf(AGENT)}`;
  return new Promise((resolve, reject) => {
    get(`${platform.address}${path}`, { headers: { authorization, ...accept } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }));
    }).on('error', reject);
  });
};
const gzip = { 'accept-encoding': 'gzip, br' };

let ticketId: string;

beforeAll(async () => {
  const ticket = { buildingId: await platform.importBuilding(), description: 'x'.repeat(2_000) };
  ticketId = (await agent.post(REQUESTS, ticket)).body.id;
});

it('is for who accepts it, and says what it depends on', async () => {
  const packed = await answerTo(`${REQUESTS}/${ticketId}`, gzip);
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringMatching(/accept-encoding/i),
  });
  const plain = await answerTo(`${REQUESTS}/${ticketId}`, {});
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()));
  expect(packed.body.length).toBeLessThan(plain.body.length);
  expect(packed.headers.etag).toBe(plain.headers.etag);
});

it('leaves alone what is small', async () => {
  const { headers } = await answerTo(`${REQUESTS}?state=closed`, gzip);
  expect(headers['content-encoding']).toBeUndefined();
});

it('answers 304 to who has it, whichever way it came', async () => {
  const { headers } = await answerTo(`${REQUESTS}/${ticketId}`, gzip);
  const again = await agent.get(`${REQUESTS}/${ticketId}`, { 'if-none-match': headers.etag! });
  expect(again.status).toBe(304);
});
