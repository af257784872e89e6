/** The upload of a document that is imported. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { isLongRequest } from '../../../src/api/http/upload.ts';
import { testApi } from '../../support/api/api.ts';
import { smallBuilding } from '../../support/domain/building-documents.ts';
import { until } from '../../support/until.ts';

const platform = testApi();

/** An import of which the server has only the first byte. */
const begun = async () => {
  const server = await platform.beside();
  const { app, address } = server;
  const connection = once(app.server, 'connection') as Promise<[Socket]>;
  const token = await platform.issuer.tokenOf('manager@acme.test');
  const sender = httpRequest(`${address}/api/v1/buildings/import`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  onTestFinished(() => void sender.destroy());
  const answered = once(sender, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  const [first, ...rest] = JSON.stringify(smallBuilding());
  sender.write(first);
  const [socket] = await connection;
  await until(() => isLongRequest(socket), 'the beginning of the upload');
  return {
    server,
    socket,
    end: () => void sender.end(rest.join('')),
    answer: async () => {
      const [response] = await answered;
      return { status: response.statusCode, body: await json(response) };
    },
  };
};

it('may take longer than the body of another request', async () => {
  const { server, socket, end, answer } = await begun();
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.app.server.emit('clientError', late, socket);
  end();
  expect(await answer()).toMatchObject({ status: 201 });
});

it('is ended by a stopping server with a reason', async () => {
  const { server, answer } = await begun();
  const stopped = server.stop();
  expect(await answer()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  await stopped;
});
