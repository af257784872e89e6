import { LogUnavailable } from '../log/event-store.ts';

/** Runs `act` when everything queued before under the same name has ended. */
export type InTurn = <T>(name: string, act: () => Promise<T>) => Promise<T>;

/**
 * A serial queue for each name.
 *
 * Where the log cannot be reached, all that wait in the queue are rejected with the same error:
 * if each waited for its own deadline, the last would wait for the sum of them.
 */
export const turns = (): InTurn => {
  const last = new Map<string, Promise<unknown>>();

  return (name, act) => {
    const before = last.get(name);
    const mine = before ? before.then(act) : act();
    const done: Promise<unknown> = mine.catch((error: unknown) => {
      if (error instanceof LogUnavailable) throw error;
    });
    last.set(name, done);
    const leave = () => {
      if (last.get(name) === done) last.delete(name);
    };
    done.then(leave, leave);
    return mine;
  };
};
