/** `atrium tail`: requests and events of a sandbox as they happen. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../../packages/cli/src/exit-codes.ts';
import { wordsOf } from '../../packages/cli/src/user/tail-lines.ts';
import { ticketsOf } from '../../packages/cli/src/user/tail-sources.ts';
import { createAtrium } from '../../packages/sdk/src/index.ts';
import { testSandbox } from '../support/cli/sandbox.ts';
import { runAtrium, startAtrium } from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

const sandbox = testSandbox();

/** A command that tails the sandbox; it is ended with the test. */
const tailing = async (...words: readonly string[]) => {
  const { environment, name } = sandbox();
  const command = startAtrium(environment, 'tail', '--sandbox', name, ...words);
  onTestFinished(() => void command.process.kill('SIGKILL'));
  const begun = () => command.err().includes('Tailing') || command.process.exitCode !== null;
  await until(begun, 'the beginning');
  const lines = () =>
    command
      .out()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { command, lines };
};

describe('atrium tail', () => {
  it('prints requests, events and changes of tickets, and not its own requests', async () => {
    const { buildingId, host, name } = sandbox();
    const { command, lines } = await tailing();
    const raised = { buildingId, description: 'Too warm' };
    const { body: ticket, headers } = await host.post('/api/service-desk/requests', raised);
    const { body: points } = await host.get(`/api/v1/buildings/${buildingId}/points?limit=1000`);
    const [{ id: pointId }] = points.items.filter(
      ({ valueType }: { valueType: string }) => valueType === 'number',
    );
    const observations = [{ pointId, value: 21.5 }];
    await host.post(`/api/v1/buildings/${buildingId}/observations`, { observations });
    const of = (type: string) => lines().filter((line) => line['type'] === type);
    const isThere = (type: string, member: string, value: unknown) => () =>
      of(type).some((line) => line[member] === value);
    await until(isThere('request', 'requestId', headers['x-request-id']), 'the request');
    await until(isThere('ticket', 'ticketId', ticket.id), 'the ticket');
    await until(isThere('event', 'event', 'building.point.updated'), 'the event');
    expect(of('request')).toContainEqual({
      type: 'request',
      at: expect.any(String),
      method: 'POST',
      route: '/api/service-desk/requests',
      status: 201,
      ms: expect.any(Number),
      keyId: null,
      requestId: headers['x-request-id'],
    });
    expect(of('event')).toContainEqual({
      type: 'event',
      buildingId,
      event: 'building.point.updated',
      data: expect.objectContaining({ pointId, value: 21.5 }),
      timestamp: expect.any(String),
      position: expect.any(String),
    });
    expect(of('ticket')[0]).toMatchObject({ change: 'created', ticket: { id: ticket.id } });
    const routes = of('request').map(({ route }) => route);
    expect(routes).not.toContain('/api/service-desk/changes');
    command.process.kill('SIGINT');
    expect(await command.ended).toMatchObject({
      code: exitCodes.interrupted,
      err: `Tailing ${name}; Ctrl-C ends it.\natrium: ended\n`,
    });
  });

  it('ends after --count lines', async () => {
    const { buildingId, host } = sandbox();
    const { command, lines } = await tailing('--count', '1');
    await host.post('/api/service-desk/requests', { buildingId, description: 'Too cold' });
    expect((await command.ended).code).toBe(0);
    expect(lines()).toHaveLength(1);
  });

  it('needs a sandbox', async () => {
    expect(await runAtrium(sandbox().environment, 'tail')).toEqual({
      code: 2,
      out: '',
      err: 'atrium: tail needs a sandbox: use --sandbox\n',
    });
  });
});

it('follows tickets through an outage of any length', async () => {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    if (requests === 1) throw new TypeError('fetch failed');
    return Response.json({ items: [], nextCursor: '1', caughtUp: true });
  };
  // A client that by itself gives up at the first failure.
  const client = createAtrium({ url: 'http://atrium.test', token: 't', retryBudgetMs: 0, fetch });
  const stopped = new AbortController();
  const source = ticketsOf(client, stopped.signal);
  expect(await source.next()).toEqual({ done: false, value: 'ready' });
  stopped.abort();
  expect(await source.next()).toEqual({ done: true, value: undefined });
});

describe('a line for people', () => {
  it('is short, without control characters', () => {
    const at = '2026-03-02T12:00:03.123Z';
    const request = {
      at,
      method: 'GET',
      route: '/api/v1/me',
      status: 200,
      ms: 3.1,
      requestId: 'r',
    };
    expect(wordsOf({ type: 'request', ...request, keyId: 'k' })).toBe(
      '12:00:03.123  GET /api/v1/me  200  3.1 ms  key k',
    );
    const event = { event: 'building.point.updated', data: { name: '\u001b[2J' } };
    expect(
      wordsOf({ type: 'event', ...event, buildingId: 'b', timestamp: at, position: '1' }),
    ).toBe(String.raw`12:00:03.123  building.point.updated  {"name":"\u001b[2J"}`);
  });
});
