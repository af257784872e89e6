import { LogUnavailable } from './event-store.ts';

/** Runs `act` when all that came before under the same name are done. */
export type InTurn = <T>(name: string, act: () => Promise<T>) => Promise<T>;

/**
 * One behind the other, by name.
 *
 * Whoever finds the log away sends those behind home with the same error: each of them waiting for
 * a deadline of its own would hold the last one for as many deadlines.
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
