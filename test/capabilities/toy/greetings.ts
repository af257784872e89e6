/** The whole capability as one value. docs/add-a-capability.md walks through it. */
import type { Capability } from '../../../src/composition/capability.ts';
import {
  readinessError,
  type ReadinessError,
} from '../../../src/engine/observe/readiness-error.ts';
import { greetingCodec, greetingsIn, saidCodec, saidTerm } from './greeting.ts';
import { greetingList } from './list.ts';
import { greetingMetrics } from './metrics.ts';
import { greetingRoutes } from './routes.ts';
import { greetingDue, greetingSaying, greetingTimer } from './saying.ts';

/** @param isMute Whether greetings cannot be said, which readiness reports. */
export const greetingsCapability = (isMute: () => boolean): Capability => ({
  tag: { name: 'greetings', description: 'Greetings, each at its time.' },
  streams: [
    { category: 'greeting', codec: greetingCodec, kept: 'forever' },
    { category: 'said', codec: saidCodec, kept: saidTerm },
  ],
  projections: [greetingList],
  processes: ['greeting-saying'],
  timers: [greetingDue],

  compose({ log, db, metrics, occasionOf, visibility }) {
    const greetings = greetingsIn(log);
    return {
      routes: async (app) => {
        await app.register(greetingRoutes, { db, greetings, occasionOf, visibility });
      },
      processes: [greetingSaying(log, greetingMetrics(metrics))],
      timers: [greetingTimer(greetings)],
      degradable: [{ part: 'greetings', reason: async () => !isMute() || mute }],
    };
  },
});

const mute: ReadinessError = readinessError('greetings cannot be said');
