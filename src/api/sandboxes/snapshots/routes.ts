/** Snapshots of sandboxes. contract.md section 4. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { SANDBOX_POLL_S } from '../../../domain/sandboxes/limits.ts';
import { developerKeyOf, snapshotIdOf } from '../../../domain/sandboxes/snapshots/ids.ts';
import { isKept, type DeveloperSnapshots } from '../../../domain/sandboxes/snapshots/view.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { SnapshotQueries } from '../../../projections/sandboxes/snapshot-list.ts';
import {
  deleteSnapshot,
  requestSnapshot,
  type SnapshotParts,
} from '../../../use-cases/sandboxes/snapshots.ts';
import { answerCommand, commandIdOf, madeIdOf, type Visibility } from '../../http/commands.ts';
import { etagOf } from '../../http/conditional.ts';
import { notFound } from '../../http/problems.ts';
import { holdRead } from '../../http/reads.ts';
import { organisationIn, type OccasionOf } from '../../sessions/authenticate.ts';
import type { SandboxAccess } from '../access.ts';
import { SandboxParams } from '../schemas.ts';
import {
  NewSnapshotBody,
  SnapshotBody,
  snapshotBody,
  SnapshotListBody,
  SnapshotParams,
} from './schemas.ts';

export interface SnapshotRouteOptions extends SnapshotParts {
  readonly access: SandboxAccess;
  readonly queries: SnapshotQueries;
  readonly clock: Clock;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const SNAPSHOTS = '/api/v1/snapshots';
const SNAPSHOT = `${SNAPSHOTS}/:snapshotId`;
const OF_SANDBOX = '/api/v1/sandboxes/:id/snapshots';
const tags = ['sandboxes'];

/** The read model that shows snapshots. */
const SHOWN_BY = ['snapshot-list'];

const canRead = { permission: 'platform.sandboxes:read' } as const;
const canWrite = { permission: 'platform.sandboxes:write' } as const;

export const snapshotRoutes: FastifyPluginAsyncZod<SnapshotRouteOptions> = async (app, options) => {
  const { access, snapshots, queries, clock, occasionOf, visibility } = options;
  const request = requestSnapshot(options);
  const remove = deleteSnapshot(options);

  app.post(
    OF_SANDBOX,
    {
      config: canWrite,
      schema: {
        operationId: 'createSnapshot',
        tags,
        summary: 'Create a snapshot of a sandbox',
        description:
          'The snapshot is created in the background: poll `Location` until its status is no ' +
          'longer `creating`. The sandbox sleeps while it is copied: its requests wait up to a ' +
          'few seconds, or are answered 503 with `Retry-After`, and its live connections are ' +
          'closed. A snapshot is independent of later resets and of the deletion of its ' +
          "sandbox, and counts towards the limit of the sandbox's developer.",
        params: SandboxParams,
        body: NewSnapshotBody,
        conventions: ['idempotency-key', 'command', 'location', 'unfinished'],
        problems: ['SANDBOX_NOT_READY', 'SNAPSHOT_LIMIT_REACHED'],
        response: { 202: SnapshotBody },
      },
    },
    async (asked, reply) => {
      const { view: sandbox } = await access.sandbox(asked, asked.params.id);
      const { named, ...name } = commandIdOf(asked);
      const snapshotId = snapshotIdOf(sandbox.developer, madeIdOf({ ...name, named }));
      const given = { sandbox, snapshotId, name: asked.body.name };
      const answer = await request(given, occasionOf(asked), name);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply
        .code(202)
        .header('location', `${SNAPSHOTS}/${snapshotId}`)
        .header('retry-after', String(SANDBOX_POLL_S))
        .send(snapshotBody(answer.view.get(snapshotId)!));
    },
  );

  app.get(
    OF_SANDBOX,
    {
      config: canRead,
      schema: {
        operationId: 'listSandboxSnapshots',
        tags,
        summary: 'List the snapshots of a sandbox',
        description: 'Newest first, without deleted and expired ones.',
        params: SandboxParams,
        response: { 200: SnapshotListBody },
      },
    },
    async (asked) => {
      const { sandboxId, developer } = (await access.sandbox(asked, asked.params.id)).view;
      const all = (await snapshots.look(developerKeyOf(developer)))?.view ?? NONE;
      const items = [...all.values()]
        .filter((one) => one.sandboxId === sandboxId && isKept(one, clock.now()))
        .toReversed();
      return { items: items.map(snapshotBody) };
    },
  );

  app.get(
    SNAPSHOTS,
    {
      config: canRead,
      schema: {
        operationId: 'listSnapshots',
        tags,
        summary: "List the snapshots of the caller's sandboxes",
        description:
          'Newest first, including snapshots of deleted sandboxes, without deleted and expired ' +
          'ones.',
        conventions: ['read-your-writes'],
        response: { 200: SnapshotListBody },
      },
    },
    async (asked, reply) => {
      const developer = await access.developerIn(asked);
      await holdRead(asked, reply, SHOWN_BY, visibility);
      return { items: (await queries.of(developer, clock.now())).map(snapshotBody) };
    },
  );

  app.get(
    SNAPSHOT,
    {
      config: canRead,
      schema: {
        operationId: 'getSnapshot',
        tags,
        summary: 'Get one snapshot',
        description: 'While the status is `creating`, poll again after `Retry-After`.',
        params: SnapshotParams,
        conventions: ['etag', 'unfinished'],
        response: { 200: SnapshotBody },
      },
    },
    async (asked, reply) => {
      const snapshot = await access.snapshot(asked, asked.params.snapshotId);
      if (snapshot === null) throw notFound('snapshot');
      const { view, revision } = snapshot;
      void reply.header('etag', etagOf(revision));
      if (view.status === 'creating') void reply.header('retry-after', String(SANDBOX_POLL_S));
      return snapshotBody(view);
    },
  );

  app.delete(
    SNAPSHOT,
    {
      config: canWrite,
      schema: {
        operationId: 'deleteSnapshot',
        tags,
        summary: 'Delete a snapshot',
        description:
          'Sandboxes that were created from it stay, but can no longer be reset. Repeating the ' +
          'request returns 404, under the same `Idempotency-Key` 204.',
        params: SnapshotParams,
        conventions: ['idempotency-key', 'command'],
        response: { 204: z.null() },
      },
    },
    async (asked, reply) => {
      const { snapshotId } = asked.params;
      const { named: _, ...name } = commandIdOf(asked);
      const isSeen = async () => (await access.snapshot(asked, snapshotId)) !== null;
      const gone = { snapshotId, organisation: organisationIn(asked), isSeen };
      const answer = await remove(gone, occasionOf(asked), name);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply.code(204).send(null);
    },
  );
};

const NONE: DeveloperSnapshots = new Map();
