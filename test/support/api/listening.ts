import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { LiveListener } from '../../../src/api/live/listener.ts';

/** Serves a live listener at a free port until the test ends. @returns Its address. */
export const listening = async (listener: LiveListener): Promise<string> => {
  const server = createServer((request, response) => listener.request(request, response));
  server.on('upgrade', (request, socket, head) => listener.upgrade(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await listener.close();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
