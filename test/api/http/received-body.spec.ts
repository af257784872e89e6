/** Bodies that arrive in many parts, or never completely. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { BODIES_RECEIVED_BYTES, BODY_CHUNKS_MAX } from '../../../src/api/http/limits.ts';
import { BODY_BYTES_MAX } from '../../../src/limits.ts';
import { testApi } from '../../support/api/api.ts';
import { chunksOfAByte } from '../../support/api/chunks-of-a-byte.ts';
import { until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
let ticket: string;

beforeAll(async () => {
  ticket = JSON.stringify({ buildingId: await platform.importBuilding(), description: 'x' });
});

const begun = async (email: string, header: string): Promise<Socket> => {
  const token = await platform.issuer.tokenOf(email);
  const { hostname, port } = new URL(platform.address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(
    `POST ${REQUESTS} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\nconnection: close\r\n${header}\r\n\r\n`,
  );
  return socket;
};

const inChunks = async (body: string): Promise<string> => {
  const socket = await begun('agent@acme.test', 'transfer-encoding: chunked');
  socket.write(chunksOfAByte(body));
  return textOf(socket);
};

it('a body of small chunks is accepted', async () => {
  const answer = await inChunks(ticket.padEnd(BODY_CHUNKS_MAX));
  expect(answer).toMatch(/^HTTP\/1.1 201 /);
});

it('a body of too many chunks is refused, though it is small', async () => {
  const answer = await inChunks(ticket.padEnd(BODY_CHUNKS_MAX + 1));
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain(`arrives in more than ${BODY_CHUNKS_MAX} parts`);
});

it('incomplete bodies of one caller are bounded, and no body of another is refused', async () => {
  const hanging = await Promise.all(
    Array.from({ length: (1.2 * BODIES_RECEIVED_BYTES.ofCaller) / BODY_BYTES_MAX }, () =>
      begun('agent@acme.test', `content-length: ${BODY_BYTES_MAX}`),
    ),
  );
  const answers: string[] = [];
  for (const socket of hanging) {
    void textOf(socket).then(
      (answer) => answers.push(answer),
      () => {},
    );
    socket.write(Buffer.alloc(BODY_BYTES_MAX - 1, ' '));
  }
  await until(() => answers.length > 0, 'a refusal');
  expect(answers[0]).toMatch(/^HTTP\/1.1 429 [^]*"code":"RATE_LIMITED"/);
  const large = ticket.padEnd(BODY_BYTES_MAX);
  const json = { 'content-type': 'application/json' };
  expect(await agent.post(REQUESTS, large, json)).toMatchObject({ status: 429 });
  expect(await manager.post(REQUESTS, large, json)).toMatchObject({ status: 201 });
  expect(await agent.post(REQUESTS, ticket, json)).toMatchObject({ status: 201 });

  for (const socket of hanging) socket.destroy();
  await until(
    async () => (await agent.post(REQUESTS, large, json)).status === 201,
    'room for another large body',
  );
});
