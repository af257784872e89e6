/** Tools of agents, against answers that a real server gives seldom. docs/guides/agents.md. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { tools } from '../../packages/cli/src/mcp/server.ts';
import { createAtrium } from '../../packages/sdk/src/index.ts';

type Run = (input: object, extra: { signal: AbortSignal }) => Promise<CallToolResult>;

/** Calls a tool by a client whose requests `fetch` answers. */
const called = async (
  name: string,
  input: object,
  fetch: (request: Request) => Promise<Response>,
): Promise<CallToolResult> => {
  const runs = new Map<string, Run>();
  const server = { registerTool: (of: string, _: object, run: Run) => void runs.set(of, run) };
  const client = createAtrium({ url: 'http://atrium.test', token: 't', retries: 0, fetch });
  const agent = { platform: client, control: client, hasClock: true, report: () => {} };
  for (const tool of tools) tool.register(server as unknown as McpServer, agent);
  return runs.get(name)!(input, { signal: new AbortController().signal });
};

it('find_rooms reads pages that a server with SPACES_LIMIT_CAP=100 gives', async () => {
  const total = 250;
  const asked: string[] = [];
  const answer = await called(
    'find_rooms',
    { buildingId: 'b', name: '249', limit: 5 },
    async ({ url }) => {
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
    },
  );
  expect(answer.structuredContent).toMatchObject({
    data: { items: [{ code: 'R-249' }], hasMore: false },
  });
  expect(asked).toEqual(['100 from 0', '100 from 100', '100 from 200']);
});
