/** The timer that checks a greeting, and the process that says it once it is due. */
import { commandsTo, type CommandEffect } from '../../../src/engine/processes/effects.ts';
import { done } from '../../../src/engine/processes/outcome.ts';
import type { Process } from '../../../src/engine/processes/process.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import type { DueTable, TimerTable } from '../../../src/engine/timers/timer-table.ts';
import {
  greetingCodec,
  saidCodec,
  saidJournal,
  type GreetingCommand,
  type GreetingEvent,
  type Greetings,
} from './greeting.ts';
import { greetingList, type ListedGreeting } from './list.ts';
import type { GreetingMetrics } from './metrics.ts';

export const greetingDue = {
  name: 'greeting-due',
  projection: greetingList,
  dueAt: 'dueAt',
} as const satisfies DueTable;

interface CheckEffect extends CommandEffect<GreetingCommand> {
  readonly kind: 'greeting';
}

export const greetingTimer = (greetings: Greetings): TimerTable<ListedGreeting, CheckEffect> => ({
  ...greetingDue,
  fire: ({ greetingId, organisation }) => ({
    kind: 'greeting',
    id: greetingId,
    organisation,
    command: { type: 'CheckGreeting' },
  }),
  effects: { greeting: commandsTo(greetings) },
});

interface SayEffect {
  readonly kind: 'say';
  readonly words: string;
}

export const greetingSaying = (
  log: Pick<EventStore, 'append'>,
  measured: GreetingMetrics,
): Process<GreetingEvent, undefined, SayEffect> => ({
  name: 'greeting-saying',
  categories: ['greeting'],
  codec: greetingCodec,
  on: { GreetingDue: ({ event: { words } }) => [{ kind: 'say', words }] },
  effects: {
    async say({ words }, { id, at, by, origin, organisation = 'main' }) {
      const said = saidCodec.encode(
        id,
        { type: 'GreetingSaid', words },
        {
          commandId: id,
          at,
          by,
          origin,
        },
      );
      await log.append(saidJournal(organisation, at), 'any', [said]);
      measured.said();
      return done;
    },
  },
});
