import { AtriumError } from '../../sdk/src/problems.ts';
import { CommandFailed, signInNeeded } from './failures.ts';
import type { Invocation } from './invocation.ts';

/** Prints a refusal of the server in one line with its code. */
export const explained = async (work: Promise<void>, invocation: Invocation): Promise<void> => {
  try {
    await work;
  } catch (error) {
    throw AtriumError.is(error) ? await refusalOf(error, invocation) : error;
  }
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
