import { personExportRoutes } from '../api/erasures/export.ts';
import { PERSON_EXPORTS } from '../api/erasures/limits.ts';
import { erasureRoutes } from '../api/erasures/routes.ts';
import { claimCommand } from '../building/graph/command-keys.ts';
import { erasureCodec } from '../domain/erasures/codecs.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import { erasingAgain } from '../processes/erasures/erasing-again.ts';
import { erasing } from '../processes/erasures/erasing.ts';
import { personalDataExpiry } from '../processes/erasures/expiring.ts';
import { erasureList } from '../projections/erasures/list.ts';
import { erasureQueries } from '../projections/erasures/queries.ts';
import { personalReferences } from '../projections/erasures/references.ts';
import { personalDataTerms } from '../projections/erasures/terms.ts';
import { accountsIn } from '../projections/erasures/accounts.ts';
import { carriedOutIn } from '../projections/erasures/carried-out.ts';
import { erasureListIn } from '../use-cases/erasures/erasure-list.ts';
import {
  ERASURE_CATEGORY,
  erasuresIn,
  erasuresOf,
  requestErasure,
} from '../use-cases/erasures/erasures.ts';
import { viewRepository } from '../use-cases/views/views.ts';
import type { Capability } from '../composition/capability.ts';

/** The erasure of persons. contract.md section 11. */
export const erasures: Capability = {
  tag: {
    name: 'erasures',
    description: 'The right to be forgotten: the erasure of persons and its status.',
  },
  streams: [{ category: ERASURE_CATEGORY, codec: erasureCodec, kept: 'forever' }],
  projections: [personalReferences, personalDataTerms, erasureList],
  processes: ['erasing'],
  compose({ log, db, models, tickets, desks, tracing, secrets, personKeys, ...core }) {
    const all = tracedCommands(tracing, ERASURE_CATEGORY, erasuresIn(log));
    const accounts = accountsIn(db.pool);
    const list = core.erasureFiles === null ? null : erasureListIn(core.erasureFiles);
    const directoryOf = async (organisation: string) =>
      (await desks.look(organisation))?.view.directory;
    return {
      routes: async (app) => {
        await app.register(erasureRoutes, {
          erasures: all,
          queries: erasureQueries(db.pool),
          request: requestErasure({
            erasures: all,
            keys: personKeys,
            accounts,
            secrets,
            claim: async (command) => (await claimCommand(db.pool, command))?.bodyHash ?? null,
            directoryOf,
            isWrittenSealed: core.isWrittenSealed,
          }),
          occasionOf: core.occasionOf,
          visibility: core.visibility,
        });
        const views = viewRepository(log);
        await app.register(personExportRoutes, {
          log,
          pool: db.pool,
          keys: personKeys,
          files: core.files,
          viewsOf: async (organisation) => (await views.look(organisation))?.view ?? new Map(),
          directoryOf,
          erasuresOf: erasuresOf({ erasures: all, secrets }),
          clock: core.clock,
          exports: core.permits(PERSON_EXPORTS),
          visibility: core.visibility,
        });
      },
      processes: [
        erasing({
          log,
          pool: db.pool,
          models,
          erasures: all,
          tickets,
          keys: personKeys,
          accounts,
          list,
          now: () => core.clock.now(),
          ...(core.personKeysTrustedMs === undefined
            ? {}
            : { trustedMs: core.personKeysTrustedMs }),
        }),
      ],
      wakers: [
        personalDataExpiry({
          log,
          pool: db.pool,
          models,
          tickets,
          keys: personKeys,
          configurationOf: desks.configurationOf,
          isWrittenSealed: core.isWrittenSealed,
          clock: core.clock,
          logger: core.logger,
        }),
      ],
      runners:
        list === null
          ? []
          : [
              erasingAgain({
                list,
                carriedOut: carriedOutIn(db.pool),
                erasures: all,
                keys: personKeys,
                accounts,
                now: () => core.clock.now(),
                logger: core.logger,
              }),
            ],
    };
  },
};
