/** The rules: a greeting is posted with its time, and is due once that time has come. */
import { z } from 'zod';
import { aggregate, type Aggregate } from '../../../src/engine/aggregates/aggregate.ts';
import { refuse, type Decider } from '../../../src/engine/aggregates/decider.ts';
import { instant, text } from '../../../src/engine/log/event-fields.ts';
import { codecOf } from '../../../src/engine/log/codec.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { keptDays } from '../../../src/engine/retention/terms.ts';

const schemas = {
  GreetingPlanned: z.strictObject({
    type: z.literal('GreetingPlanned'),
    greetingId: z.uuid(),
    words: text,
    dueAt: instant,
  }),
  GreetingDue: z.strictObject({ type: z.literal('GreetingDue'), words: text }),
};

export type GreetingEvent =
  | z.infer<typeof schemas.GreetingPlanned>
  | z.infer<typeof schemas.GreetingDue>;

export type GreetingCommand =
  | {
      readonly type: 'PlanGreeting';
      readonly greetingId: string;
      readonly words: string;
      readonly dueAt: string;
    }
  | { readonly type: 'CheckGreeting' };

export interface Greeting {
  readonly words: string;
  /** `null` once it has been due. */
  readonly dueAt: string | null;
}

const evolve = (event: GreetingEvent): Greeting => ({
  words: event.words,
  dueAt: event.type === 'GreetingPlanned' ? event.dueAt : null,
});

const decider: Decider<GreetingCommand, Greeting | null, GreetingEvent> = {
  initial: null,
  decide: (command, state, { at }) => {
    if (command.type === 'PlanGreeting')
      return state ? [] : [{ ...command, type: 'GreetingPlanned' }];
    if (!state?.dueAt) return [];
    if (at < state.dueAt) return refuse('CONFLICT', `It is due at ${state.dueAt}.`);
    return [{ type: 'GreetingDue', words: state.words }];
  },
  evolve,
};

export const greetingCodec = codecOf<GreetingEvent>(schemas);

export type Greetings = Aggregate<GreetingCommand, Greeting>;

export const greetingsIn = (log: EventStore): Greetings =>
  aggregate({
    log,
    category: 'greeting',
    codec: greetingCodec,
    decider,
    viewAfter: ({ event }) => evolve(event),
  });

/** What was said, in journals by day: `said-<organisation>.<yyyymmdd>`. */
export const saidCodec = codecOf<{ readonly type: 'GreetingSaid'; readonly words: string }>({
  GreetingSaid: z.strictObject({ type: z.literal('GreetingSaid'), words: text }),
});
export const saidTerm = keptDays(2);
export const saidJournal = (organisation: string, at: string): string =>
  `said-${organisation}.${at.slice(0, 10).replaceAll('-', '')}`;
