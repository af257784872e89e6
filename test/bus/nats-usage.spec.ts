import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { layoutOf } from '../../src/bus/nats/layout.ts';
import { natsUsage } from '../../src/bus/nats/usage.ts';
import { until } from '../support/until.ts';

it('leaves no connection open to a server that never answers', async () => {
  const connections = new Set<Socket>();
  let accepted = 0;
  const silent = createServer((socket) => {
    accepted += 1;
    connections.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => connections.delete(socket));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const address = {
    servers: [`nats://127.0.0.1:${port}`],
    credentialsFile: null,
    caFile: null,
    certFile: null,
    keyFile: null,
  };
  await expect(natsUsage(address, layoutOf('test'), 500)).rejects.toThrow('no answer within');
  await until(() => accepted > 0 && connections.size === 0, 'no connection', { maxMs: 30_000 });
});
