/** Servers that are restarted one after the other, behind a balancer, under load. */
import { randomUUID } from 'node:crypto';
import { Agent, request as send, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { demoBuilding } from '../../src/demo/building.ts';
import { issuerOfRun } from '../support/api/tokens.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { balancer } from '../support/servers/balancer.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { until } from '../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const running = servers();
afterEach(() => running.release());

interface Answered {
  readonly id: string;
  readonly buildingId: string;
}

/** Keeps one connection, and sends the next request as soon as one is answered. */
const caller = (url: string, headers: Record<string, string>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (method: string, path: string, body?: object) => {
    const type = body ? { 'content-type': 'application/json' } : {};
    const asked = send(url + path, { method, agent, headers: { ...headers, ...type } });
    asked.end(body && JSON.stringify(body));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode!, body: (await json(answer)) as Answered };
  };
};

// Each server drains for 5 s, and starts slowly on a busy machine.
it('fails no request while one server after the other is restarted', async () => {
  const issuer = issuerOfRun();
  const { url } = await freshDatabase();
  const shared = {
    DATABASE_URL: url,
    ATRIUM_DATA: temporaryDirectory('rolling'),
    OIDC_ISSUER: issuer.url,
    SHUTDOWN_DELAY_S: '5',
  };
  const ports = [String(await freePort()), String(await freePort())];
  const started = async (PORT: string) => running.start({ ...shared, PORT });
  const group: ServerProcess[] = [await started(ports[0]!), await started(ports[1]!)];
  const front = await balancer(group.map((server) => server.url));
  onTestFinished(() => front.close());

  const headers = { authorization: `Bearer ${await issuer.tokenOf('manager@acme.test')}` };
  const imported = await caller(front.url, headers)(
    'POST',
    '/api/v1/buildings/import',
    demoBuilding(),
  );
  const { buildingId } = imported.body;
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let answered = 0;
  const over = new AbortController();
  const lane = async (description: string) => {
    const ask = caller(front.url, headers);
    const answers = async (method: string, path: string, body?: object) => {
      const answer = await ask(method, path, body).catch((error: Error) => ({
        status: error.message,
        body: { id: '', buildingId: '' },
      }));
      answered += 1;
      if (answer.status !== 200 && answer.status !== 201)
        failures.push(`${method} ${path}: ${answer.status}`);
      return answer.body;
    };
    while (!over.signal.aborted) {
      const { id } = await answers('POST', REQUESTS, { buildingId, description });
      acknowledged.push(id);
      await answers('GET', `${REQUESTS}/${id}`);
      await answers('GET', `${REQUESTS}?limit=5`);
    }
  };
  const lanes = Array.from({ length: 4 }, () => lane(`Radiator ${randomUUID()} is cold`));

  for (const index of [0, 1]) {
    const before = answered;
    await until(() => answered > before + 50, 'answers');
    await group[index]!.signal('SIGTERM');
    // A server that does not stop in time exits with another code.
    expect(group[index]!.process.exitCode, group[index]!.output()).toBe(0);
    group[index] = await started(ports[index]!);
  }
  over.abort();
  await Promise.all(lanes);

  expect(front.failures).toEqual([]);
  expect(failures).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
}, 600_000);
