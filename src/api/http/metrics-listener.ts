import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../../engine/observe/metrics.ts';

export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET` and `HEAD` of `/metrics` alone, on a port that callers of the API do not reach.
 *
 * @param port 0 draws one.
 * @throws If it cannot listen there.
 */
export const listenForMetrics = async (
  metrics: Pick<Metrics, 'contentType' | 'print'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> => {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.print().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
