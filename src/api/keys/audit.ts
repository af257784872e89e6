/** The audit of API keys, for people only. interface.md «Audit record», contract.md section 3. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { KeyringEvent } from '../../domain/keys/events.ts';
import { keyAt, keyringAfter, type KeyringView } from '../../domain/keys/view.ts';
import { keyringOf } from '../../identity/keys/token.ts';
import { AUDIT_WAIT_MAX_S } from './limits.ts';
import { REQUEST_ANSWER_MAX_MS } from '../../limits.ts';
import type { AuditQueries } from '../../projections/keys/audit-queries.ts';
import { keyHistory } from '../../projections/keys/key-history.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { keyringCodec } from '../../domain/keys/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { isPosition } from '../../engine/log/cursors.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { callerIn, organisationIn } from '../sessions/authenticate.ts';
import type { Visibility } from '../http/commands.ts';
import { cursorFor } from '../http/cursors.ts';
import { exportFormatOf } from './audit-export.ts';
import { answerExporting, type AuditExportingParts } from './audit-exporting.ts';
import { answerFollowing, type FollowingParts } from './audit-following.ts';
import {
  AuditItemBody,
  auditItemOf,
  AuditPageBody,
  AuditQuery,
  HistoryQuery,
} from './audit-schemas.ts';
import { KeyBody, keyBody, KeyParams } from './schemas.ts';
import { invalid, notFound, Problem } from '../http/problems.ts';
import { holdToHead } from '../http/reads.ts';
import { varyBy } from '../http/vary.ts';

export interface KeyAuditRouteOptions extends FollowingParts, AuditExportingParts {
  readonly audit: AuditQueries;
  readonly log: EventStore;
  readonly visibility: Visibility;
}

/** A page of the history; with `asOf`, the key itself. */
const KeyHistoryBody = z.union([AuditPageBody, KeyBody]).meta({ id: 'KeyHistory' });

const SHOWN_BY = ['key-audit'];
const tags = ['keys'];
const config = { permission: 'platform.audit:read', portal: true, person: true } as const;

export const keyAuditRoutes: FastifyPluginAsyncZod<KeyAuditRouteOptions> = async (app, options) => {
  const { audit, log, clock, visibility } = options;
  const following = answerFollowing(options);
  const exporting = answerExporting(app, options);

  app.get(
    '/api/v1/keys/audit',
    {
      config: {
        ...config,
        answerMaxMs: AUDIT_WAIT_MAX_S * 1000 + REQUEST_ANSWER_MAX_MS,
      },
      schema: {
        operationId: 'readKeyAudit',
        tags,
        summary: "The audit trail of the organisation's API keys, newest first",
        description:
          'Records of the last 18 months. Needs a signed-in person; API keys are refused. The ' +
          'response waits, at most 2 s, until it includes everything that was in the log at ' +
          'the time of the request; otherwise it has the header `X-Atrium-Stale: true`. With ' +
          '`Accept: application/x-ndjson` or `text/csv`, the whole selection is returned as a ' +
          'file. With `after`, oldest first in the order of the ' +
          'log, for programs that must not miss a record. An operator without an organisation ' +
          'gets the denials that belong to no organisation.',
        querystring: AuditQuery,
        conventions: ['read-your-writes', 'file'],
        problems: ['RATE_LIMITED', 'CURSOR_LOST'],
        response: {
          200: {
            description: 'A page, or the whole selection.',
            content: {
              'application/json': { schema: AuditPageBody },
              'application/x-ndjson': { schema: AuditItemBody },
              'text/csv': { schema: z.string() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { limit, cursor, after, wait, ...filter } = request.query;
      const format = exportFormatOf(request.headers.accept);
      for (const [path, place] of Object.entries({ cursor, after }))
        if (format && place !== undefined)
          throw invalid([{ path, message: 'applies only to pages, not to an export' }]);
      void reply.header('cache-control', 'no-store');
      varyBy(reply, 'accept');
      await holdToHead(request, reply, SHOWN_BY, { log, visibility });

      if (after !== undefined) return following(request, reply, { ...filter, after, limit, wait });
      if (!format) {
        const selection = { organisation: callerIn(request).organisation, ...filter };
        const rows = await audit.page(selection, cursor ?? null, limit + 1);
        const pageRows = rows.slice(0, limit);
        const { at, id } = pageRows.at(-1) ?? {};
        return {
          items: pageRows.map(auditItemOf),
          nextCursor: rows.length > limit && at && id ? cursorFor({ at, id }) : null,
        };
      }
      // Not the reply, which ends only with the last byte. `never`, because the body schemas type
      // the handlers, and streams bypass them.
      return (await exporting(request, reply, format, filter)) as never;
    },
  );

  /** The facts of the caller's own key in the keyring. */
  const factsOf = async (organisation: string, keyId: string) => {
    const keyring = keyringOf(organisation);
    const facts = await historyOf(log, keyringCodec, streamOf('keyring', keyring));
    const [opened] = facts;
    const own =
      opened?.event.type === 'KeyringOpened' && opened.event.organisation === organisation;
    const ownFacts = own ? facts.filter(({ event }) => isAbout(event, keyId)) : [];
    if (ownFacts.length === 0) throw notFound('key');
    return ownFacts;
  };

  app.get(
    '/api/v1/keys/:keyId/history',
    {
      config,
      schema: {
        operationId: 'readKeyHistory',
        tags,
        summary: "A key's records from the event log, oldest first",
        description:
          'Issuance and revocation of any age, uses within the last 18 months. A page can be ' +
          'short or empty while `nextCursor` is not `null`. With `asOf`, the state of the key ' +
          'at that time; 404 if it had not been issued.',
        params: KeyParams,
        querystring: HistoryQuery,
        conventions: ['read-your-writes'],
        response: { 200: KeyHistoryBody },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const { keyId } = request.params;
      const { asOf, limit, cursor } = request.query;
      const now = clock.now();
      if (typeof cursor?.after === 'string' && !isPosition(log.compare, cursor.after))
        throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
      const facts = await factsOf(organisation, keyId);
      void reply.header('cache-control', 'no-store');
      if (asOf === undefined) {
        const query = { organisation, keyId, facts, now, place: cursor ?? null, limit };
        const { rows, next } = await keyHistory(log, query);
        return {
          items: rows.map(auditItemOf),
          nextCursor: next === null ? null : cursorFor(next),
        };
      }
      if (asOf > now) throw invalid([{ path: 'asOf', message: 'is in the future' }]);
      const key = keyOfFacts(facts.filter(({ at }) => at <= asOf));
      if (!key) throw new Problem('NOT_FOUND', 'The key had not been issued at that time.');
      await holdToHead(request, reply, SHOWN_BY, { log, visibility });
      const used = await audit.lastUses(organisation, [keyId], asOf);
      return keyBody(keyAt(key, asOf), used.get(keyId) ?? null);
    },
  );
};

const isAbout = (event: KeyringEvent, keyId: string): boolean =>
  'keyId' in event && event.keyId === keyId;

const keyOfFacts = (facts: readonly Recorded<KeyringEvent>[]) =>
  facts.reduce<KeyringView | null>((view, fact) => keyringAfter(fact, view), null)?.keys[0] ?? null;
