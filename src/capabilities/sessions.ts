import { issuerRoutes } from '../api/sessions/issuer.ts';
import { meRoutes } from '../api/sessions/me.ts';
import type { Capability } from './capability.ts';

/** Where to sign in, and what a credential is good for. contract.md section 2. */
export const identity: Capability = {
  tag: {
    name: 'identity',
    description: 'Who the credential speaks for.',
  },
  compose: ({ identity, publicUrl }) => ({
    routes: async (app) => {
      await app.register(issuerRoutes, { issuer: identity.issuer, publicUrl });
      await app.register(meRoutes);
    },
  }),
};
