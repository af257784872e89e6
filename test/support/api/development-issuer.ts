/** The issuer that the platforms of a run trust: a development issuer, on a port of loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { developmentIssuer } from '../../../src/identity/development/issuer.ts';
import { temporaryDirectory } from '../directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    issuerUrl: string;
  }
}

export default async function issuer(project: TestProject) {
  const directory = temporaryDirectory('issuer');
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/oidc`;
  const logger = pino({ level: 'silent' });
  const { handler, close } = await developmentIssuer({ url, dataDirectory: directory, logger });
  server.on('request', handler);
  project.provide('issuerUrl', url);
  return async () => {
    close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(directory, { recursive: true, force: true });
  };
}
