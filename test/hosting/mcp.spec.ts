/** An agent on a sandbox's own host: the tools of a platform, on its data and its clock. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { issuerOfRun } from '../support/api/tokens.ts';
import { httpAgent } from '../support/mcp/agent.ts';

let platform: HostingPlatform;
beforeAll(async () => {
  platform = await hostingPlatform({ issuer: issuerOfRun(), servesMcp: true });
});
afterAll(() => platform.close());

/** A `fetch` for the client, to the host of a sandbox. */
const fetchAt =
  (at: ReturnType<HostingPlatform['at']>) =>
  async (_: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const isPost = init.method === 'POST';
    const answer = await (isPost ? at.post('/mcp', init.body, headers) : at.get('/mcp', headers));
    const { status } = answer;
    return new Response(status === 202 ? null : JSON.stringify(answer.body), {
      status,
      headers: { 'content-type': answer.headers['content-type'] ?? 'text/plain' },
    });
  };

it('finds the building, raises a ticket and moves the clock, and controls no sandbox', async () => {
  const developer = platform.as('developer@acme.test');
  const { body: made } = await developer.post('/api/v1/sandboxes', {
    name: 'Agents',
    storeys: 1,
    areaSqm: 60,
    seedTelemetryDays: 0,
    liveTelemetry: false,
  });
  const sandbox = await provisioned(developer, `/api/v1/sandboxes/${made.sandboxId}`);
  expect(sandbox.status).toBe('ready');
  const token = await issuerOfRun().tokenOf('developer@acme.test');
  const fetch = fetchAt(platform.at(sandbox.slug, token));
  const { client, dataOf } = await httpAgent(platform.address, token, { fetch });

  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('advance_clock');
  expect(names.filter((name) => name.includes('sandbox'))).toEqual([]);

  const { items } = await dataOf('list_buildings');
  expect(items.map(({ id }: { id: string }) => id)).toEqual([sandbox.buildingId]);
  const { buildingId } = sandbox;
  const { ticket } = await dataOf('raise_ticket', { buildingId, description: 'In the sandbox' });
  const before = await dataOf('read_clock');
  await dataOf('advance_clock', { advance: 'PT4H' });
  const movedHours = async () => {
    const { now } = await dataOf('read_clock');
    return Math.floor((Date.parse(now) - Date.parse(before.now)) / 3_600_000);
  };
  await expect.poll(movedHours).toBe(4);
  const { ticket: later } = await dataOf('get_ticket', { ticketId: ticket.id });
  expect(later.description).toBe('In the sandbox');

  // Without a credential a program finds where to sign in.
  const metadata = '/.well-known/oauth-protected-resource/mcp';
  const { status, body } = await platform.at(sandbox.slug, null).get(metadata);
  expect(status).toBe(200);
  expect(body.resource).toMatch(new RegExp(`^http://${sandbox.slug}\\.[^/]+/mcp$`));
});
