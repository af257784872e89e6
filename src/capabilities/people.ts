import { PEOPLE_SEARCHES } from '../api/people/limits.ts';
import { peopleRoutes } from '../api/people/routes.ts';
import { isOnlyRequester } from '../identity/permissions.ts';
import type { Capability } from '../composition/capability.ts';

/** The people and teams of an organisation. contract.md section 5. */
export const people: Capability = {
  tag: {
    name: 'people',
    description: 'The users and teams that tickets can be assigned to.',
  },
  compose: ({ people: known, signIns, permits, visibility }) => ({
    routes: async (app) => {
      await app.register(peopleRoutes, {
        people: known,
        searches: permits(PEOPLE_SEARCHES),
        visibility,
      });
    },
    onCaller: (caller) => {
      if (!isOnlyRequester(caller.roles)) signIns.note(caller);
    },
    background: async (signal) => {
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await signIns.written();
    },
  }),
};
