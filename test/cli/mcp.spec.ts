/** `atrium mcp` as an agent's program starts it: a child process, called by the official client. */
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../packages/cli/src/mcp/server.ts';
import { testApi } from '../support/api/api.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { agentOver } from '../support/mcp/agent.ts';
import { CLI, runAtriumAlone } from '../support/servers/cli.ts';
import { programEnvironment } from '../support/servers/environment.ts';

// Not at /mcp: the command needs no more of a server than its API.
const api = testApi();
const home = temporaryDirectory('mcp');
let buildingId: string;
beforeAll(async () => {
  buildingId = await api.importBuilding();
});

const environment = (token: string) => ({
  ATRIUM_TOKEN: token,
  ATRIUM_URL: api.address,
  XDG_CONFIG_HOME: home,
});
const agentOf = async (email: string) => {
  const env = { ...programEnvironment(), ...environment(await api.issuer.tokenOf(email)) };
  const command = { command: process.execPath, args: [CLI, 'mcp'] };
  return agentOver(new StdioClientTransport({ ...command, env, stderr: 'ignore' }));
};

describe('atrium mcp', () => {
  it('offers the tools on standard input and output, and acts as its user', async () => {
    const { client, dataOf, call } = await agentOf('agent@acme.test');
    const { tools: offered } = await client.listTools();
    expect(offered.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const { ticket } = await dataOf('raise_ticket', { buildingId, description: 'Over stdio' });
    const { body } = await api.as('agent@acme.test').get('/api/v1/me');
    expect(ticket.createdBy).toEqual(body.actor);
    const read = await dataOf('get_ticket', { ticketId: ticket.id });
    expect(read.ticket.description).toBe('Over stdio');
    // The server has no virtual clock, and an agent of the desk no sandboxes.
    expect((await call('read_clock')).problem!.code).toBe('NOT_FOUND');
    expect((await call('list_sandboxes')).problem!.code).toBe('PERMISSION_DENIED');
  });

  it('ends with its standard input', async () => {
    const token = await api.issuer.tokenOf('agent@acme.test');
    expect(await runAtriumAlone(environment(token), 'mcp')).toMatchObject({ code: 0, out: '' });
  });

  it('needs a session, as every command does', async () => {
    const signedOut = { ATRIUM_URL: api.address, XDG_CONFIG_HOME: home };
    expect(await runAtriumAlone(signedOut, 'mcp')).toMatchObject({ code: 4, out: '' });
  });
});
