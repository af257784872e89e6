/** In which versions events are written, as operators have said. docs/operating/releases.md. */
import { z } from 'zod';
import { text } from '../aggregates/event-fields.ts';
import { codecOf } from '../log/codec.ts';

const releaseEventSchemas = {
  /** By type; of those that are not named, what was said before holds. */
  EventVersionsRaised: z.strictObject({
    type: z.literal('EventVersionsRaised'),
    versions: z.record(text, z.int().min(1)),
  }),
};

type ReleaseEvent = z.infer<typeof releaseEventSchemas.EventVersionsRaised>;

export const releaseCodec = codecOf<ReleaseEvent>(releaseEventSchemas);
