/**
 * Common to all commands over HTTP: the id (from `Idempotency-Key`, or generated), `ETag`,
 * `X-Atrium-Position`, and the wait for the read models. contract.md section 1.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v5 as uuidFrom, v7 as uuidv7 } from 'uuid';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from './limits.ts';
import { jsonHash } from '../../engine/aggregates/json-hash.ts';
import type { Answer } from '../../engine/aggregates/aggregate.ts';
import type { Position } from '../../engine/log/event-store.ts';
import type { Caller } from '../../identity/caller.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { etagOf } from './conditional.ts';
import { invalid } from './problems.ts';

export interface CommandId {
  readonly commandId: string;
  /** Only with an `Idempotency-Key`. */
  readonly bodyHash?: string;
  /** The caller named the command, so it may be a repeat. */
  readonly named: boolean;
}

/** The scope in which the name of a command is unique. */
export type CommandGiver = Pick<Caller, 'actor' | 'organisation'>;

const NAMESPACE = 'b51c7f5e-6f0f-4d5e-9a3c-0f8f3b1c9d27';

/**
 * UUIDv5 of (organisation, caller, method, concrete path, key) if the caller sent an
 * `Idempotency-Key`, else a fresh UUID.
 *
 * @param by Default: the caller of the request.
 * @throws {@link Problem} `VALIDATION_FAILED` for a key that is not 1–255 visible characters.
 */
export const commandIdOf = (
  request: FastifyRequest,
  by: CommandGiver = callerIn(request),
): CommandId => {
  const command = namedCommandOf(request, by);
  return command.named ? { ...command, bodyHash: jsonHash(request.body) } : command;
};

/** All sent keys, from the raw headers: `headers` joins repeated ones. */
const keysIn = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === KEY_HEADER);

const KEY_HEADER = 'idempotency-key';

/** For a body that the route reads itself: the route also hashes it. */
export const namedCommandOf = (
  request: FastifyRequest,
  { actor, organisation }: CommandGiver = callerIn(request),
): Omit<CommandId, 'bodyHash'> => {
  const keys = keysIn(request.raw);
  if (keys.length === 0) return { commandId: randomUUID(), named: false };
  const key = keys.length === 1 ? keys[0]! : '';
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > IDEMPOTENCY_KEY_CHARACTERS_MAX) {
    const characters = `1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} visible characters`;
    const message = `must be one header of ${characters}`;
    throw invalid([{ path: 'Idempotency-Key', message }]);
  }
  const caller = `${actor.kind}:${actor.id}`;
  const parts = [organisation, caller, request.method, pathOf(request), key];
  return {
    commandId: uuidFrom(JSON.stringify(parts), NAMESPACE),
    named: true,
  };
};

/**
 * The path as the router and the schema of its parameters have read it: the same for all spellings,
 * such as percent-encoded letters, an absolute URL, and ids in upper case.
 */
const pathOf = ({ routeOptions, params }: FastifyRequest): string =>
  routeOptions.url!.replaceAll(
    /:(\w+)/g,
    (_, name: string) => (params as Readonly<Record<string, string>>)[name]!,
  );

/** The id of the created object: the same for a repeated command. */
export const madeIdOf = ({ commandId, named }: CommandId): string =>
  named ? uuidFrom('made', commandId) : uuidv7();

/** Waiting for read models; the composition root provides it. */
export interface Visibility {
  /** Resolves when `names` have reached `position` (true), or after `timeoutMs` (false). */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether waiting is worthwhile: none lags more than the contract's bound. */
  near(names: readonly string[]): Promise<boolean>;
  /** How long a command's response waits for the read models that show it. */
  readonly commandWaitMs: number;
  /** How long a read waits for its read models to reach the requested position. */
  readonly readWaitMs: number;
  /** Whether the text is a position of this log. */
  isPosition(text: string): boolean;
}

/** Sends the headers of a command's answer once the lists show it, or after a short wait. */
export const answerCommand = async <View>(
  reply: FastifyReply,
  answer: Answer<View>,
  shownBy: readonly string[],
  visibility: Visibility,
): Promise<void> => {
  void reply.header('etag', etagOf(answer.revision)).header('x-atrium-position', answer.position);
  if (answer.replayed) void reply.header('idempotent-replayed', 'true');
  if (answer.recorded.length > 0 && (await visibility.near(shownBy))) {
    await visibility.waitFor(shownBy, answer.position, visibility.commandWaitMs);
  }
};
