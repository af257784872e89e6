/** The current addresses of a name. Nothing is cached: the next look-up may differ. */
import { Resolver } from 'node:dns/promises';

/** Every address of the name, IPv4 first; empty if it does not exist. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The look-ups of both families: {@link Resolver}'s. */
interface Queries {
  resolve4(name: string): Promise<readonly string[]>;
  resolve6(name: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers directly. The system's look-up would also read the hosts file and block the
 * four threads of the pool. It rejects if either family could not be looked up.
 */
export const nameServers = (
  resolver: Queries = new Resolver({ timeout: 2_500, tries: 2 }),
): Resolve => {
  const underWay = new Map<string, Promise<readonly string[]>>();

  const ask = async (name: string): Promise<readonly string[]> => {
    if (name === 'localhost') return ['127.0.0.1'];
    const queries = [resolver.resolve4(name), resolver.resolve6(name)];
    const answers = await Promise.allSettled(queries);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.filter((answer) => answer.status === 'rejected');
    const unknown = failed.every(({ reason }) => isNoAnswer(reason));
    // A family that failed may have an address that must not be reached.
    if (!unknown) throw failed.find(({ reason }) => !isNoAnswer(reason))!.reason;
    return found;
  };

  return (name) => {
    // Concurrent callers share one look-up.
    const before = underWay.get(name);
    if (before) return before;
    const answer = ask(name).finally(() => underWay.delete(name));
    underWay.set(name, answer);
    return answer;
  };
};

const isNoAnswer = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'ENODATA';
};
