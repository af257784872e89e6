import { AtriumError } from '../../sdk/src/problems.ts';
import { AtriumUnreachableError, systemCodeOf } from '../../sdk/src/unreachable.ts';
import { exitCodes } from './exit-codes.ts';
import { CommandFailed, signInNeeded } from './failures.ts';
import type { Invocation } from './invocation.ts';

/** @throws What {@link failureOf} makes of the error of `work`. */
export const explained = async (work: Promise<void>, invocation: Invocation): Promise<void> => {
  try {
    await work;
  } catch (error) {
    throw await failureOf(error, invocation);
  }
};

/**
 * A refusal of the server, or a lost answer, as a failure of one line with its code; any other
 * error as it is.
 */
export const failureOf = async (error: unknown, invocation: Invocation): Promise<unknown> => {
  if (error instanceof CommandFailed) return error;
  if (AtriumError.is(error)) return refusalOf(error, invocation);
  return isLostAnswer(error) ? lostAnswerOf(error) : error;
};

/** Codes of connections alone: files fail with codes, too, as does the reader of the output. */
const isLostAnswer = (error: unknown): error is Error =>
  error instanceof AtriumUnreachableError ||
  /^(ECONN|ETIMEDOUT|UND_ERR_|HPE_)/.test(systemCodeOf(error) ?? '');

const lostAnswerOf = (error: Error): CommandFailed => {
  const line =
    error instanceof AtriumUnreachableError
      ? error.message
      : `the server broke off its answer: ${error.message}`;
  return new CommandFailed(line, error, exitCodes.failed, { code: 'NO_SERVER' });
};

const refusalOf = async (error: AtriumError, invocation: Invocation): Promise<CommandFailed> => {
  const { status, code, message, problem, requestId } = error;
  const fields = 'errors' in problem ? (problem.errors ?? []) : [];
  // The message names the first few.
  const others = fields
    .filter((field) =>
      [': ', ' '].every((gap) => !message.includes(`${field.path}${gap}${field.message}`.trim())),
    )
    .map((field) => `; ${field.path}: ${field.message}`)
    .join('');
  const line = `${message}${others} (${code})`.replaceAll(/\p{Cc}+/gu, ' ');
  const details = { code, status, ...(requestId !== '' && { requestId }) };
  if (status !== 401) return new CommandFailed(line, error, undefined, details);
  const { remedyFor } = await import('./session/connection.ts');
  return signInNeeded(`${line}; ${await remedyFor(invocation)}`, error, details);
};
