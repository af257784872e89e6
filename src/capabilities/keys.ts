import { keyAuditRoutes } from '../api/keys/audit.ts';
import { AUDIT_EXPORTS } from '../api/keys/limits.ts';
import { keyRoutes } from '../api/keys/routes.ts';
import { auditChainCategories } from '../domain/keys/audit-chain.ts';
import { useCategories } from '../domain/keys/journals.ts';
import { auditTerm } from '../domain/keys/retention.ts';
import { longPollWakeup } from '../engine/consumers/long-poll-wakeup.ts';
import {
  AUDIT_WAITING_MAX,
  AUDIT_WAITING_OF_CALLER_MAX,
  AUDIT_WAITING_OF_ORGANISATION_MAX,
} from '../domain/keys/limits.ts';
import { fairSemaphore } from '../engine/concurrency/fair-semaphore.ts';
import { AUDIT_CHAINING, auditChaining } from '../processes/keys/audit-chaining.ts';
import { auditChainMetrics } from '../identity/keys/metrics.ts';
import { keyringOf } from '../identity/keys/token.ts';
import { auditFollowing, auditWatched } from '../projections/keys/audit-following.ts';
import { auditQueries } from '../projections/keys/audit-queries.ts';
import { endedKeys } from '../projections/keys/ended-keys.ts';
import { keyAudit } from '../projections/keys/key-audit.ts';
import { keyringRepository } from '../use-cases/keys/keyrings.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import {
  auditChainCodec,
  keyringCodec,
  keyUseCodec,
  useIndexCodec,
} from '../domain/keys/codecs.ts';
import type { Capability } from '../composition/capability.ts';

/** API keys and the audit of their use. interface.md «API keys». */
export const keys: Capability = {
  tag: {
    name: 'keys',
    description: 'API keys and their audit.',
  },
  streams: [
    { category: 'keyring', codec: keyringCodec, kept: 'forever' },
    ...useCategories.map((category) => ({ category, codec: keyUseCodec, kept: auditTerm })),
    { category: 'sharedjournals', codec: keyUseCodec, kept: 'forever' },
    { category: 'keyuseindex', codec: useIndexCodec, kept: auditTerm },
    ...auditChainCategories.map((category) => ({
      category,
      codec: auditChainCodec,
      kept: auditTerm,
    })),
  ],
  isOutsideSandboxes: true,
  projections: [keyAudit],

  compose({ log, db, clock, logger, tracing, metrics, models, consumers, keyUses, ...core }) {
    const { stopping, occasionOf, visibility, cursors } = core;
    const audit = auditQueries(db, clock);
    const keyrings = tracedCommands(tracing, 'keyring', keyringRepository(log, keyUses));
    auditChainMetrics(metrics, async () => {
      const [chaining] = await consumers.status([AUDIT_CHAINING]);
      return chaining!.seconds;
    });
    return {
      runners: [auditChaining(consumers, keyUses)],
      routes: async (app) => {
        const { lastUses } = audit;
        const ended = endedKeys(db.pool);
        await app.register(keyRoutes, {
          keyrings,
          clock,
          occasionOf,
          visibility,
          lastUses,
          ended,
        });
        const { reader } = consumers;
        const watch = longPollWakeup({ log, reader, logger, ...auditWatched });
        const follow = auditFollowing({ audit, log, watch, keyringOf, ...models });
        const waits = fairSemaphore({
          ofCaller: AUDIT_WAITING_OF_CALLER_MAX,
          ofOrganisation: AUDIT_WAITING_OF_ORGANISATION_MAX,
          inAll: AUDIT_WAITING_MAX,
        });
        const following = { follow, waits, stopping };
        await app.register(keyAuditRoutes, {
          audit,
          log,
          clock,
          visibility,
          cursors,
          exports: core.permits(AUDIT_EXPORTS),
          ...following,
        });
      },
    };
  },
};
