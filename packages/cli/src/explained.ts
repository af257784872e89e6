import { AtriumError } from '../../sdk/src/problems.ts';
import { CommandFailed, signInNeeded } from './failures.ts';

/** What the server refuses, told in one line with its code. */
export const explained = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!AtriumError.is(error)) throw error;
    const { status, code, message, problem } = error;
    const fields = 'errors' in problem ? (problem.errors ?? []) : [];
    // The first is what the message says.
    const where = fields
      .slice(1)
      .map(({ path, message }) => ` ${path} ${message};`)
      .join('');
    const line = `${message}${where} (${code})`.replaceAll(/\p{Cc}+/gu, ' ');
    throw status === 401
      ? signInNeeded(`${line}; run atrium login`, error)
      : new CommandFailed(line, error);
  }
};
