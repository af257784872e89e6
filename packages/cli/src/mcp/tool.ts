/**
 * A tool of the Model Context Protocol is a call of the API as its caller. Permissions, validation,
 * rate limits and the audit are those of the API. docs/decisions/0119.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Calls } from '../../../sdk/src/calls.ts';
import { answerOf, type Failures } from './answers.ts';

/** What tools act on, with the credential of one caller. */
export interface Agent extends Failures {
  /** The server itself, or a sandbox. */
  readonly platform: Calls;
  /** The server that has the caller's sandboxes; `null`: its tools are not offered. */
  readonly control: Calls | null;
  /** Whether the tools of the virtual clock are offered. */
  readonly hasClock: boolean;
}

/** `reads`, `adds` something new, or `changes` what cannot be changed back by a tool. */
export type Effect = 'reads' | 'adds' | 'changes';

interface ToolSpec<Shape extends z.ZodRawShape> {
  /** snake_case; never changes. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Shape;
  /** The answer has texts that others have written. Default false. */
  readonly showsTexts?: boolean;
  readonly isOffered?: (agent: Agent) => boolean;
  /** Throws as the API's client does. The signal aborts when the caller is gone. */
  readonly run: (
    input: z.infer<z.ZodObject<Shape>>,
    agent: Agent,
    signal: AbortSignal,
  ) => Promise<object>;
}

export interface Tool {
  readonly name: string;
  readonly effect: Effect;
  register(server: McpServer, agent: Agent): void;
}

export const tool = <Shape extends z.ZodRawShape>(spec: ToolSpec<Shape>): Tool => ({
  name: spec.name,
  effect: spec.effect,
  register(server, agent) {
    if (spec.isOffered?.(agent) === false) return;
    const { name, title, description, effect, input, showsTexts = false } = spec;
    const schema: z.ZodObject<Shape> = z.strictObject(input);
    server.registerTool<z.ZodRawShape, z.ZodType<z.infer<z.ZodObject<Shape>>>>(
      name,
      {
        title,
        description: effect === 'reads' ? description : `${description} ${WRITES}`,
        inputSchema: schema,
        annotations: {
          readOnlyHint: effect === 'reads',
          destructiveHint: effect === 'changes',
          // The same call again records something more, unless it names an idempotencyKey.
          idempotentHint: effect === 'reads',
          openWorldHint: showsTexts,
        },
      },
      (given, { signal }) => answerOf(() => spec.run(given, agent, signal), agent),
    );
  },
});

const WRITES = 'This writes: the user has to confirm it.';

/** A command that is sent again under its key is done once. */
export const idempotencyKey = z
  .string()
  .regex(/^[!-~]{1,255}$/)
  .exactOptional()
  .describe(
    'Idempotency key: repeating the same input with the same key runs the command only ' +
      'once. Default: random.',
  );

/** The headers of a command. */
export const commandHeader = (
  key: string | undefined,
): { header?: { 'Idempotency-Key': string } } =>
  key === undefined ? {} : { header: { 'Idempotency-Key': key } };
