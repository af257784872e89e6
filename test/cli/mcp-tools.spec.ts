/** Tools of agents, against answers that a real server gives seldom. docs/guides/agents.md. */
import { randomUUID } from 'node:crypto';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, it } from 'vitest';
import { CommandFailed, signInNeeded } from '../../packages/cli/src/failures.ts';
import { mcpServer } from '../../packages/cli/src/mcp/server.ts';
import { refusalOf } from '../../packages/cli/src/user/mcp.ts';
import { createAtrium } from '../../packages/sdk/src/index.ts';
import { agentOver, type TestAgent } from '../support/mcp/agent.ts';

/** An agent by a client whose requests `fetch` answers. */
const agentBy = async (fetch: (request: Request) => Promise<Response>): Promise<TestAgent> => {
  const client = createAtrium({ url: 'http://atrium.test', token: 't', retries: 0, fetch });
  const agent = { platform: client, control: client, hasClock: true, report: () => {}, refusalOf };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(agent, '1.0.0').connect(theirs);
  return agentOver(ours);
};

it('find_rooms reads pages that a server with SPACES_LIMIT_CAP=100 gives', async () => {
  const total = 250;
  const asked: string[] = [];
  const { dataOf } = await agentBy(async ({ url }) => {
    const { searchParams } = new URL(url);
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
    asked.push(`${limit} from ${offset}`);
    if (limit! > 100)
      return Response.json({ code: 'VALIDATION_FAILED', status: 400 }, { status: 400 });
    const items = Array.from({ length: Math.min(limit!, total - offset!) }, (_, at) => ({
      id: String(offset! + at),
      code: `R-${offset! + at}`,
      name: 'Room',
      externalId: null,
      spaceType: { slug: 'office' },
    }));
    return Response.json({ items, total, limit, offset });
  });
  const buildingId = randomUUID();
  const found = await dataOf('find_rooms', { buildingId, name: '249', limit: 5 });
  expect(found).toMatchObject({ items: [{ code: 'R-249' }], hasMore: false });
  expect(asked).toEqual(['100 from 0', '100 from 100', '100 from 200']);
});

const failing = async (error: Error) => {
  const { call } = await agentBy(async () => {
    throw error;
  });
  return (await call('list_buildings')).problem;
};

it('answers UNAVAILABLE where no server is there', async () => {
  const error = new CommandFailed('no server answers at x', null, 1, { code: 'NO_SERVER' });
  expect(await failing(error)).toEqual({ code: 'UNAVAILABLE', detail: 'no server answers at x' });
});

it('answers SIGN_IN_NEEDED and the command to run where the session has ended', async () => {
  const detail = 'the session of profile x has ended; sign in again with atrium login';
  expect(await failing(signInNeeded(detail))).toEqual({ code: 'SIGN_IN_NEEDED', detail });
});

it('search_tickets keeps that a total is capped', async () => {
  const page = { items: [], page: 1, limit: 20, total: 10_000, totalCapped: true };
  const { dataOf } = await agentBy(async () => Response.json(page));
  expect(await dataOf('search_tickets')).toMatchObject({ total: 10_000, totalCapped: true });
});
