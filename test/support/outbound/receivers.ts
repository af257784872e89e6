/** Webhook receivers, most of which misbehave. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../directory.ts';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Connections that were made. */
  readonly connections: () => number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const listening = async (
  server: Server | ReturnType<typeof createSocketServer>,
  host = '127.0.0.1',
) => {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections, close };
};

/** A sender that disconnects during its request gets no answer, which is not a failure. */
const answering =
  (answer: Answer) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await answer(request, response);
    } catch (error) {
      if (request.complete) throw error;
    }
  };

/** Speaks HTTP; ends with the test. @param host A loopback address. */
export const receiver = async (answer: Answer, host = '127.0.0.1'): Promise<Receiver> => {
  const respond = answering(answer);
  const { port, connections, close } = await listening(
    createServer((...exchange) => void respond(...exchange)),
    host,
  );
  onTestFinished(close);
  return { url: `http://${host}:${port}/`, port, connections };
};

/** A raw TCP receiver; closed with the test. */
export const socketReceiver = async (speak: (socket: Socket) => void): Promise<Receiver> => {
  const { port, connections, close } = await listening(createSocketServer(speak));
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}/`, port, connections };
};

interface TlsReceiver extends Receiver {
  readonly ca: string;
  /** Connections that resumed a TLS session. */
  readonly resumed: () => number;
  /** Switches to another certificate, and resumes sessions where possible. */
  readonly renew: () => void;
}

/** A self-signed certificate. */
const certificateOf = (name: string) => {
  const directory = temporaryDirectory('certificate');
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...files], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert, 'utf8') };
};

/** An HTTPS receiver with a certificate for `name`; closed with the test. */
export const tlsReceiver = async (
  name: string,
  answer: Answer,
  over: SecureContextOptions = {},
): Promise<TlsReceiver> => {
  const made = certificateOf(name);
  const respond = answering(answer);
  const server = createTlsServer({ ...made, ...over }, (...exchange) => void respond(...exchange));
  let resumed = 0;
  server.on('secureConnection', (socket) => {
    if (socket.isSessionReused()) resumed += 1;
  });
  const { port, connections, close } = await listening(server);
  onTestFinished(close);
  return {
    url: `https://${name}:${port}/`,
    port,
    connections,
    ca: made.cert,
    resumed: () => resumed,
    renew() {
      const keys = server.getTicketKeys();
      server.setSecureContext({ ...certificateOf(name), ...over });
      server.setTicketKeys(keys);
    },
  };
};
