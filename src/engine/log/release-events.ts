/** The versions in which events are written, as set by operators. docs/operating/releases.md. */
import { z } from 'zod';
import { text } from './event-fields.ts';
import { codecOf } from './codec.ts';

const releaseEventSchemas = {
  /** By type; the version of a type that is not named stays as it was. */
  EventVersionsRaised: z.strictObject({
    type: z.literal('EventVersionsRaised'),
    versions: z.record(text, z.int().min(1)),
  }),
};

type ReleaseEvent = z.infer<typeof releaseEventSchemas.EventVersionsRaised>;

export const releaseCodec = codecOf<ReleaseEvent>(releaseEventSchemas);
