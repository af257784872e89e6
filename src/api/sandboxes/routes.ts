/**
 * The lifecycle of sandboxes, in the interface's order. interface.md «Sandboxes», contract.md
 * section 4.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { inOrderOfTurns, isQueued } from '../../domain/sandboxes/queue.ts';
import { slugOf } from '../../domain/sandboxes/slug.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import { SANDBOX_POLL_S } from '../../domain/sandboxes/limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { SandboxQueries } from '../../projections/sandboxes/queries.ts';
import type { Answer } from '../../engine/aggregates/aggregate.ts';
import {
  deleteSandbox,
  requestSandbox,
  resetSandbox,
  type SandboxLifecycleParts,
} from '../../use-cases/sandboxes/lifecycle.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { branchOf } from '../../use-cases/sandboxes/snapshots.ts';
import { answerCommand, commandIdOf, madeIdOf, type Visibility } from '../http/commands.ts';
import { etagOf, expectedRevisionsOf } from '../http/conditional.ts';
import { invalid, Problem } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import type { SandboxAccess } from './access.ts';
import { newSeed, sandboxNamesOf } from './names.ts';
import { plantedFaultRoutes, type PlantedFaultRouteOptions } from './planted-faults.ts';
import { sandboxRequestRoutes, type SandboxRequestRouteOptions } from './requests.ts';
import {
  CreateSandboxBody,
  ExtendBody,
  SandboxBody,
  sandboxBody,
  SandboxListBody,
  SandboxParams,
} from './schemas.ts';

export interface SandboxRouteOptions
  extends
    SandboxLifecycleParts,
    Omit<SandboxRequestRouteOptions, 'seen'>,
    Omit<PlantedFaultRouteOptions, 'seen'> {
  readonly access: SandboxAccess;
  readonly queries: SandboxQueries;
  readonly clock: Clock;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** The address of a sandbox by its slug. */
  readonly apiUrlOf: (slug: string) => string;
}

const SANDBOXES = '/api/v1/sandboxes';
const SANDBOX = `${SANDBOXES}/:id`;
const tags = ['sandboxes'];

/** The read model that shows sandboxes. */
const SHOWN_BY = ['sandbox-list'];

const canRead = { permission: 'platform.sandboxes:read' } as const;
const canWrite = { permission: 'platform.sandboxes:write' } as const;

export const sandboxRoutes: FastifyPluginAsyncZod<SandboxRouteOptions> = async (app, options) => {
  const { access, sandboxes, queries, clock, occasionOf, visibility, apiUrlOf } = options;
  const requestOne = requestSandbox(options);
  const reset = resetSandbox(options);
  const remove = deleteSandbox(options);

  /** The command's name, with the revision that `If-Match` requires. */
  const nameIn = (request: FastifyRequest) => {
    const { named: _, ...name } = commandIdOf(request);
    const expectedRevisions = expectedRevisionsOf(request);
    return { ...name, ...(expectedRevisions === undefined ? {} : { expectedRevisions }) };
  };

  const bodiesOf = async (views: readonly SandboxView[]) => {
    const waiting = views.some(isQueued)
      ? inOrderOfTurns(await queries.standing(clock.now())).map(({ sandboxId }) => sandboxId)
      : [];
    return views.map((view) => {
      const place = waiting.indexOf(view.sandboxId);
      const ahead = isQueued(view) ? (place === -1 ? waiting.length : place) : null;
      return sandboxBody(view, apiUrlOf, ahead);
    });
  };

  /** @param made The sandbox that the command makes, if it may be a repeat. */
  const contentOf = async (request: FastifyRequest, snapshotId: string, made: string | null) => {
    // A repeat has the response of the first request, even if the snapshot is gone.
    const repeated = made === null ? null : (await sandboxes.look(made))?.view;
    if (repeated?.branch) return { parameters: repeated.parameters, branch: repeated.branch };
    const snapshot = (await access.snapshot(request, snapshotId))?.view ?? null;
    if (snapshot === null) {
      const errors = [{ path: 'fromSnapshot', message: 'is no snapshot of yours' }];
      throw new Problem('REFERENCE_NOT_FOUND', 'No snapshot has this id.', { errors });
    }
    return { parameters: snapshot.parameters, branch: branchOf(snapshot) };
  };

  const bodyOf = async (view: SandboxView) => (await bodiesOf([view]))[0]!;

  const answered = async (reply: FastifyReply, answer: Answer<SandboxView>) => {
    await answerCommand(reply, answer, SHOWN_BY, visibility);
    return bodyOf(answer.view);
  };

  app.get(
    SANDBOXES,
    {
      config: canRead,
      schema: {
        operationId: 'listSandboxes',
        tags,
        summary: "List the caller's sandboxes",
        description: 'Newest first, without deleted and expired ones.',
        conventions: ['read-your-writes'],
        response: { 200: SandboxListBody },
      },
    },
    async (request, reply) => {
      const developer = await access.developerIn(request);
      await holdRead(request, reply, SHOWN_BY, visibility);
      const views = await queries.of(developer, clock.now());
      return { items: await bodiesOf(views) };
    },
  );

  app.post(
    SANDBOXES,
    {
      config: canWrite,
      preValidation: async ({ body }) => refuseShapeOfBranch(body),
      schema: {
        operationId: 'createSandbox',
        tags,
        summary: 'Request a sandbox',
        description:
          'The sandbox is provisioned in the background: poll `Location` until its status is ' +
          'no longer `provisioning`. Sending the same body twice creates two sandboxes; with ' +
          'the same `Idempotency-Key`, one. With `fromSnapshot` the sandbox has the content of ' +
          'the snapshot, including ids but without webhooks.',
        body: CreateSandboxBody,
        conventions: ['idempotency-key', 'command', 'location', 'unfinished'],
        problems: [
          'REFERENCE_NOT_FOUND',
          'SANDBOX_QUOTA_REACHED',
          'SANDBOX_TOO_LARGE',
          'SNAPSHOT_NOT_READY',
          'TTL_TOO_LONG',
        ],
        response: { 202: SandboxBody },
      },
    },
    async (request, reply) => {
      const id = commandIdOf(request);
      const { named, ...name } = id;
      const { name: displayName, ttlDays, fromSnapshot, ...shape } = request.body;
      const { sandboxId, suffix } = sandboxNamesOf(madeIdOf(id));
      const content =
        fromSnapshot === undefined
          ? { parameters: { ...shape, seed: shape.seed ?? newSeed() } }
          : await contentOf(request, fromSnapshot, named ? sandboxId : null);
      const answer = await requestOne(
        {
          sandboxId,
          organisation: organisationIn(request),
          developer: await access.developerIn(request),
          name: displayName,
          slug: slugOf(displayName, suffix),
          ...content,
          ttlDays,
        },
        occasionOf(request),
        { ...name, fresh: !named },
      );
      const body = await answered(reply, answer);
      return reply
        .code(202)
        .header('location', `${SANDBOXES}/${sandboxId}`)
        .header('retry-after', String(SANDBOX_POLL_S))
        .send(body);
    },
  );

  app.get(
    SANDBOX,
    {
      config: canRead,
      schema: {
        operationId: 'getSandbox',
        tags,
        summary: 'Get one sandbox',
        description: 'While the status is `provisioning`, poll again after `Retry-After`.',
        params: SandboxParams,
        conventions: ['etag', 'unfinished'],
        response: { 200: SandboxBody },
      },
    },
    async (request, reply) => {
      const { view, revision } = await access.sandbox(request, request.params.id);
      if (view.status === 'provisioning') void reply.header('retry-after', String(SANDBOX_POLL_S));
      const body = await bodyOf(view);
      // What a queued one waits for moves with the others.
      void reply.header('etag', etagOf(revision, isQueued(view) ? body : null));
      return body;
    },
  );

  app.post(
    `${SANDBOX}/extend`,
    {
      config: canWrite,
      schema: {
        operationId: 'extendSandbox',
        tags,
        summary: 'Extend the lifetime of a sandbox',
        description:
          'Adds the days to the current expiry. The new expiry is at most 30 days from now. A ' +
          'sandbox can be extended twice.',
        params: SandboxParams,
        body: ExtendBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['EXTENSION_LIMIT_REACHED', 'TTL_TOO_LONG', 'SANDBOX_NOT_READY'],
        response: { 200: SandboxBody },
      },
    },
    async (request, reply) => {
      const { sandboxId, organisation } = (await access.sandbox(request, request.params.id)).view;
      const command = { type: 'ExtendSandbox', days: request.body.days } as const;
      const name = nameIn(request);
      const answer = await sandboxes.give(
        sandboxId,
        { ...name, command, organisation },
        occasionOf(request),
      );
      return answered(reply, answer);
    },
  );

  app.post(
    `${SANDBOX}/reset`,
    {
      config: canWrite,
      schema: {
        operationId: 'resetSandbox',
        tags,
        summary: 'Reset a sandbox',
        description:
          'Creates a new database with the same building: with new internal ids and the same ' +
          'externalIds. Tickets and webhooks are deleted; address, expiry and extensions stay. ' +
          'A sandbox that was created from a snapshot returns to the snapshot, including its ' +
          'ids.',
        params: SandboxParams,
        conventions: ['idempotency-key', 'command', 'if-match', 'location', 'unfinished'],
        problems: [
          'SANDBOX_QUOTA_REACHED',
          'SANDBOX_NOT_READY',
          'SANDBOX_TOO_LARGE',
          'SNAPSHOT_GONE',
        ],
        response: { 202: SandboxBody },
      },
    },
    async (request, reply) => {
      const { view } = await access.sandbox(request, request.params.id);
      const answer = await reset(view, occasionOf(request), nameIn(request));
      const body = await answered(reply, answer);
      return reply
        .code(202)
        .header('location', `${SANDBOXES}/${view.sandboxId}`)
        .header('retry-after', String(SANDBOX_POLL_S))
        .send(body);
    },
  );

  app.delete(
    SANDBOX,
    {
      config: canWrite,
      schema: {
        operationId: 'deleteSandbox',
        tags,
        summary: 'Delete a sandbox at once',
        description:
          'The database is dropped in the background. If the sandbox is still being ' +
          'provisioned, provisioning is aborted, and the sandbox counts towards the quota ' +
          'until that has ended. Repeating the request returns 404, under the same ' +
          '`Idempotency-Key` 204.',
        params: SandboxParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const view = await access.sandboxOrGone(request, request.params.id);
      const answer = await remove(view, occasionOf(request), nameIn(request));
      await answered(reply, answer);
      return reply.code(204).send(null);
    },
  );

  const seen = async (request: FastifyRequest, sandboxId: string) =>
    (await access.sandbox(request, sandboxId)).view;
  await app.register(sandboxRequestRoutes, { ...options, seen });
  await app.register(plantedFaultRoutes, { ...options, seen });
};

/** A branch has the building of its snapshot: members that shape a building have no effect. */
const refuseShapeOfBranch = (body: unknown): void => {
  if (typeof body !== 'object' || body === null || !('fromSnapshot' in body)) return;
  const shaping = Object.keys(body).filter((name) => !OF_BRANCH.has(name));
  if (shaping.length === 0) return;
  const message = 'must be absent with fromSnapshot';
  throw invalid(shaping.map((path) => ({ path, message })));
};

/** The members of a request for a sandbox that is made from a snapshot. */
const OF_BRANCH: ReadonlySet<string> = new Set(['fromSnapshot', 'name', 'ttlDays']);
