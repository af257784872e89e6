import { expect } from 'vitest';
import {
  isRefusal,
  type Decider,
  type Instant,
  type Occasion,
  type RefusalCode,
} from '../../../src/engine/aggregates/decider.ts';

export const noon: Occasion = {
  at: '2026-03-02T12:00:00.000Z',
  by: { kind: 'user', id: 'ana' },
  origin: 'api',
};

/** The same person through the same door, so many minutes after noon. */
export const afterNoon = (minutes: number): Occasion => ({
  ...noon,
  at: new Date(Date.parse(noon.at) + minutes * 60_000).toISOString(),
});

export const fold = <State, Event>(
  { initial, evolve }: Pick<Decider<never, State, Event>, 'initial' | 'evolve'>,
  events: readonly Event[],
  at: Instant = noon.at,
): State => events.reduce((state, event) => evolve(event, state, at), initial);

/**
 * Reads as the rule it checks: `given(…facts).when(command).records(…facts)`.
 *
 * No bare `then`: an object that has one is a promise to the language, and `await` would call it.
 */
export const specify =
  <Command, State, Event>(decider: Decider<Command, State, Event>) =>
  (...history: readonly Event[]) => ({
    when: (command: Command, occasion: Occasion = noon) => {
      const outcome = decider.decide(command, fold(decider, history), occasion);
      return {
        outcome,
        records: (...facts: readonly Event[]) => expect(outcome).toStrictEqual(facts),
        recordsNothing: () => expect(outcome).toStrictEqual([]),
        refuses: (code: RefusalCode, extra?: Readonly<Record<string, unknown>>) => {
          expect(isRefusal(outcome) ? outcome.refused : outcome).toBe(code);
          if (extra) expect(isRefusal(outcome) && outcome.extra).toEqual(extra);
        },
      };
    },
  });
