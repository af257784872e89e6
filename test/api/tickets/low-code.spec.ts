/**
 * The workflows of docs/examples against a real server. Node-RED and n8n are not installed: their
 * code nodes are compiled with the names that those products give them, and their request nodes are
 * sent as they are configured.
 */
import { compileFunction } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { text } from '../../support/sources.ts';

const api = testApi();
const agent = api.as('agent@acme.test');
let buildingId: string;
beforeAll(async () => {
  buildingId = await api.importBuilding();
});
const raise = async (description: string): Promise<string> => {
  const { body } = await agent.post('/api/service-desk/requests', { buildingId, description });
  return body.id;
};

interface Change {
  readonly ticketId: string;
  readonly change: string;
}

/** One run of a workflow and its output. */
type Run = (token: string) => Promise<readonly Change[]>;

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly func?: string;
  readonly method?: string;
  readonly ret?: string;
  readonly wires?: readonly (readonly string[])[];
}

interface FlowMessage {
  url?: string;
  headers?: Record<string, string>;
  statusCode?: number;
  payload?: unknown;
}

const nodeRed = (): { readonly run: Run; readonly errors: readonly string[] } => {
  const nodes = JSON.parse(text('docs/examples/node-red-ticket-changes.json')) as FlowNode[];
  const context = new Map<string, unknown>();
  const errors: string[] = [];
  const run: Run = async (token) => {
    const changes: Change[] = [];
    const environment = { ATRIUM_URL: api.address, ATRIUM_TOKEN: token };
    const deliver = async (id: string, msg: FlowMessage): Promise<void> => {
      const node = nodes.find((one) => one.id === id)!;
      const goOn = async (sent: FlowMessage | null) => {
        for (const to of node.wires?.[0] ?? []) if (sent !== null) await deliver(to, sent);
      };
      if (node.type === 'debug') changes.push(msg.payload as Change);
      else if (node.type === 'inject') await goOn(msg);
      else if (node.type === 'http request') {
        const answer = await fetch(msg.url!, { method: node.method!, headers: msg.headers! });
        expect(node.ret).toBe('obj');
        await goOn({ ...msg, statusCode: answer.status, payload: await answer.json() });
      } else {
        const sent: FlowMessage[] = [];
        const returned = compileFunction(node.func!, ['msg', 'flow', 'env', 'node'])(
          msg,
          { get: (name: string) => context.get(name), set: context.set.bind(context) },
          { get: (name: keyof typeof environment) => environment[name] },
          {
            send: (one: FlowMessage) => sent.push(one),
            error: (words: string) => errors.push(words),
          },
        ) as FlowMessage | null;
        for (const one of sent) await goOn(one);
        await goOn(returned);
      }
    };
    await deliver(nodes.find(({ type }) => type === 'inject')!.id, {});
    return changes;
  };
  return { run, errors };
};

interface WorkflowNode {
  readonly name: string;
  readonly type: string;
  readonly parameters: {
    readonly jsCode?: string;
    readonly method?: string;
    readonly url?: string;
  };
}

interface Workflow {
  readonly nodes: readonly WorkflowNode[];
  readonly connections: Readonly<
    Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>
  >;
}

type Item = { readonly json: Partial<Change> & Record<string, unknown> };

const n8n = (): { readonly run: Run; readonly errors: readonly string[] } => {
  const source = text('docs/examples/n8n-ticket-changes.json');
  const address = 'http://localhost:4000';
  expect(source).toContain(address);
  const workflow = JSON.parse(source.replace(address, api.address)) as Workflow;
  let stored: Record<string, unknown> = {};
  const errors: string[] = [];
  const run: Run = async (token) => {
    // Kept only of a run that succeeds.
    const data = { ...stored };
    const done = async (name: string, items: readonly Item[]): Promise<readonly Item[]> => {
      const { type, parameters } = workflow.nodes.find((one) => one.name === name)!;
      let out = items;
      if (type === 'n8n-nodes-base.code') {
        out = compileFunction(parameters.jsCode!, ['$input', '$getWorkflowStaticData'])(
          { first: () => items[0] },
          () => data,
        ) as readonly Item[];
      } else if (type === 'n8n-nodes-base.httpRequest') {
        expect(parameters.url).toBe('={{ $json.url }}');
        const answer = await fetch(String(items[0]!.json['url']), {
          method: parameters.method!,
          headers: { authorization: `Bearer ${token}` },
        });
        if (!answer.ok) {
          errors.push(`${answer.status}`);
          return [];
        }
        out = [{ json: (await answer.json()) as Record<string, unknown> }];
      }
      const next = workflow.connections[name]?.main[0]?.[0];
      if (next) return done(next.node, out);
      stored = data;
      return out;
    };
    const items = await done('Every 30 s', [{ json: {} }]);
    return items.map(({ json }) => json as Change);
  };
  return { run, errors };
};

describe.each([
  ['Node-RED', nodeRed],
  ['n8n', n8n],
])('the workflow of %s', (_, product) => {
  it('hands on each change once, in order, from when it began', async () => {
    await raise('Before it began');
    const { run } = product();
    const token = await api.issuer.tokenOf('agent@acme.test');
    expect(await run(token)).toEqual([]);
    const [first, second] = [await raise('First'), await raise('Second')];
    await agent.post(`/api/service-desk/requests/${first}/transition`, { state: 'triaged' });
    const seen: Change[] = [];
    await expect
      .poll(async () => {
        seen.push(...(await run(token)));
        return seen.map(({ ticketId, change }) => `${ticketId} ${change}`);
      })
      .toEqual([`${first} created`, `${second} created`, `${first} state`]);
    expect(await run(token)).toEqual([]);
  });

  it('keeps its cursor where the server refuses a run', async () => {
    const { run, errors } = product();
    const token = await api.issuer.tokenOf('agent@acme.test');
    await run(token);
    const ticket = await raise('While it was refused');
    expect(await run('nonsense')).toEqual([]);
    expect(errors.join()).toContain('401');
    const seen: Change[] = [];
    await expect
      .poll(async () => {
        seen.push(...(await run(token)));
        return seen.map(({ ticketId }) => ticketId);
      })
      .toEqual([ticket]);
  });
});
