/** What a name stands for now. Nothing is remembered: the next look may find another answer. */
import { Resolver } from 'node:dns/promises';

/** Every address of the name, those of IPv4 first; none where it does not exist. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Asks the name servers themselves. The system's own look-up would also read its table of hosts
 * and keep four threads busy, for everybody.
 *
 * @throws If neither family could be asked.
 */
export const nameServers = (): Resolve => {
  const resolver = new Resolver({ timeout: 2_500, tries: 2 });
  const underWay = new Map<string, Promise<readonly string[]>>();

  const ask = async (name: string): Promise<readonly string[]> => {
    if (name === 'localhost') return ['127.0.0.1'];
    const asked = [resolver.resolve4(name), resolver.resolve6(name)];
    const answers = await Promise.allSettled(asked);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.filter((answer) => answer.status === 'rejected');
    const unknown = failed.every(({ reason }) => isNoAnswer(reason));
    // One family that could not be asked may hold an address that must not be reached.
    if (!unknown) throw failed.find(({ reason }) => !isNoAnswer(reason))!.reason;
    return found;
  };

  return (name) => {
    // Those who ask at once are told the same.
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
