/** Expressions of jq, by jq itself compiled to WebAssembly: nothing has to be installed. */
import { usageError } from '../failures.ts';

/** What the expression selects of a text of JSON; texts without quotes, each on a line. */
export type Selecting = (json: string) => Promise<string>;

/** @throws {@link CommandFailed} from what it answers, for an expression that fails. */
export const selecting = async (expression: string): Promise<Selecting> => {
  const { raw } = await import('jq-wasm');
  return async (json) => {
    try {
      return await raw(json, expression, ['-r', '-c']);
    } catch (error) {
      const [, said] = /jq: error[^:]*: (.*)/.exec((error as Error).message) ?? [];
      throw usageError(`--jq: ${said ?? (error as Error).message}`, error);
    }
  };
};
