/** The tools of agents on standard input and output, by the caller's own session. */
import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import manifest from '../../package.json' with { type: 'json' };
import type { Invocation } from '../invocation.ts';
import { CommandFailed } from '../failures.ts';
import { ToolRefusal } from '../mcp/answers.ts';
import { mcpServer } from '../mcp/server.ts';
import { atriumOf } from '../session/client.ts';
import { platformOf, type SandboxOption } from './platform.ts';

/** @throws {@link CommandFailed} as `platformOf` does, before anything is served. */
export const serveMcp = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client: control } = await atriumOf(invocation);
  const { client: platform } = await platformOf(invocation);
  const report = (error: unknown) =>
    invocation.terminal.notice(`atrium mcp: ${error instanceof Error ? error.message : 'failed'}`);
  // A server without a virtual clock answers its tools with NOT_FOUND.
  const agent = { platform, control, hasClock: true, report, refusalOf };
  const server = mcpServer(agent, manifest.version);
  const ended = once(process.stdin, 'end');
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
};

/** What the command's connection fails with, in the codes of tools. */
export const refusalOf = (error: unknown): ToolRefusal | null => {
  if (!(error instanceof CommandFailed)) return null;
  const { message, details } = error;
  return new ToolRefusal(details.code === 'NO_SERVER' ? 'UNAVAILABLE' : details.code, message);
};
