import { keyAuditRoutes } from '../api/keys/audit.ts';
import { keyRoutes } from '../api/keys/routes.ts';
import { auditQueries } from '../projections/keys/audit-queries.ts';
import { keyAudit } from '../projections/keys/key-audit.ts';
import { keyringRepository } from '../store/repositories/keyrings.ts';
import type { Capability } from './capability.ts';

/** API keys and the audit of their use. interface.md «API keys». */
export const keys: Capability = {
  projections: [keyAudit],

  compose({ log, db, clock, occasionOf, visibility }) {
    const audit = auditQueries(db, clock);
    const keyrings = keyringRepository(log);
    return {
      routes: async (app) => {
        const { lastUses } = audit;
        await app.register(keyRoutes, { keyrings, clock, occasionOf, visibility, lastUses });
        await app.register(keyAuditRoutes, { audit, log, clock, visibility });
      },
    };
  },
};
