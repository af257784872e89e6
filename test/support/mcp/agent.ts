/** An agent's client of the tools: the official one, over real connections. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';

export interface ToolAnswer {
  readonly isError: boolean;
  /** The text for the model. */
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  readonly data: any;
  readonly problem: { readonly code: string; readonly detail: string } | undefined;
}

export interface TestAgent {
  readonly client: Client;
  call(name: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  /** The data of an answer. @throws If it is an error. */
  dataOf(name: string, input?: Record<string, unknown>): Promise<ToolAnswer['data']>;
}

/** Connected; it is closed when the test ends. */
export const agentOver = async (transport: Transport): Promise<TestAgent> => {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const call: TestAgent['call'] = async (name, input = {}) => {
    const answer = await client.callTool({ name, arguments: input });
    const [block] = answer.content as readonly { readonly text: string }[];
    const { data, problem } = (answer.structuredContent ?? {}) as Partial<ToolAnswer>;
    return { isError: answer.isError === true, text: block!.text, data, problem };
  };
  return {
    client,
    call,
    async dataOf(name, input) {
      const { isError, text, data } = await call(name, input);
      if (isError) throw new Error(text);
      return data;
    },
  };
};

/** Over `POST /mcp`, with the headers of the credential. */
export const httpAgent = (
  address: string,
  token: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    /** For a host that cannot be resolved. */
    readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
  } = {},
): Promise<TestAgent> =>
  agentOver(
    new StreamableHTTPClientTransport(new URL('/mcp', address), {
      requestInit: { headers: { authorization: `Bearer ${token}`, ...options.headers } },
      ...(options.fetch ? { fetch: options.fetch } : {}),
    }),
  );
