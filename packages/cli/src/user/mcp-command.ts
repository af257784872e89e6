import type { Command } from 'commander';
import { acting, runs } from '../invocation.ts';

/** `atrium mcp`: the tools for agents, over standard input and output. */
export const mcpCommand = (program: Command): void => {
  acting(program.command('mcp'))
    .description('serve tools of the Model Context Protocol on standard input and output')
    .addHelpText(
      'after',
      `
An agent's program starts it, as docs/guides/agents.md shows, and the tools act as you. It ends with
its standard input.

Examples:
  $ atrium mcp
  $ atrium mcp --sandbox "Checkout team"`,
    )
    .action(runs(async () => (await import('./mcp.ts')).serveMcp));
};
