/** API keys: mint, list, revoke. interface.md «API keys», contract.md section 3. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { KeyringCommand } from '../../domain/keys/keyring.ts';
import { KEYS_ENDED_LISTED_MAX } from '../../domain/keys/limits.ts';
import { keyAt, type KeyringView } from '../../domain/keys/view.ts';
import { keyringOf } from '../../identity/keys/token.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import { mintKey } from '../../use-cases/keys/mint-key.ts';
import type { EndedKeys } from '../../projections/keys/ended-keys.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { answerCommand, commandIdOf, type Visibility } from '../http/commands.ts';
import { KeyListBody, keyBody, KeyParams, MintedKeyBody, MintKeyBody } from './schemas.ts';
import { holdRead } from '../http/reads.ts';

export interface KeyRouteOptions {
  readonly keyrings: Aggregate<KeyringCommand, KeyringView>;
  readonly clock: Clock;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** Stores revoked keys outside the log. */
  readonly ended: Pick<EndedKeys, 'add'>;
  /** When each of an organisation's keys last had an allowed use. */
  readonly lastUses: (
    organisation: string,
    keyIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Instant>>;
}

const KEYS = '/api/v1/keys';
const tags = ['keys'];

/** The read model that shows minting, revoking and uses. */
const SHOWN_BY = ['key-audit'];

export const keyRoutes: FastifyPluginAsyncZod<KeyRouteOptions> = async (app, options) => {
  const { keyrings, clock, occasionOf, visibility, lastUses, ended } = options;

  const mint = mintKey({ keyrings });

  app.post(
    KEYS,
    {
      config: {
        permission: 'platform.keys:write',
        portal: true,
        person: true,
        answersSecret: true,
      },
      schema: {
        operationId: 'mintKey',
        tags,
        summary: 'Mint an API key',
        description:
          'Needs a signed-in person; an API key cannot mint another one. The plaintext token ' +
          'is returned only in this response.',
        body: MintKeyBody,
        conventions: ['idempotency-key', 'command'],
        problems: ['KEY_LIMIT_REACHED'],
        response: { 201: MintedKeyBody },
      },
    },
    async (request, reply) => {
      const { named: _, ...name } = commandIdOf(request);
      const organisation = organisationIn(request);
      const newKey = { organisation, ...request.body };
      const { key, token, answer } = await mint(newKey, occasionOf(request), name);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...key, ...(token === null ? {} : { token }) });
    },
  );

  app.get(
    KEYS,
    {
      config: { permission: 'platform.keys:read' },
      schema: {
        operationId: 'listKeys',
        tags,
        summary: "List the organisation's API keys",
        description:
          'Newest first. Of the expired and revoked keys those that were issued last, at most ' +
          `${KEYS_ENDED_LISTED_MAX.toLocaleString('en')}; the audit has all. Also allowed with ` +
          'a `full` key.',
        conventions: ['read-your-writes'],
        response: { 200: KeyListBody },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      await holdRead(request, reply, SHOWN_BY, visibility);
      const found = await keyrings.look(keyringOf(organisation));
      const keys = found?.view.organisation === organisation ? found.view.keys : [];
      const used = await lastUses(
        organisation,
        keys.map(({ keyId }) => keyId),
      );
      const now = clock.now();
      return {
        items: keys
          .map((key) => keyBody(keyAt(key, now), used.get(key.keyId) ?? null))
          .toReversed(),
      };
    },
  );

  app.delete(
    `${KEYS}/:keyId`,
    {
      config: { permission: 'platform.keys:write', person: true },
      schema: {
        operationId: 'revokeKey',
        tags,
        summary: 'Revoke an API key',
        description:
          'The key is denied from its next request on. Repeating the request returns 204. An ' +
          'expired key also returns 204 and stays expired. Also allowed with a `full` key.',
        params: KeyParams,
        conventions: ['idempotency-key', 'command'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const { named: _, ...name } = commandIdOf(request);
      const { keyId } = request.params;
      const command = { type: 'RevokeKey', organisation, keyId } as const;
      const answer = await keyrings.give(
        keyringOf(organisation),
        { ...name, command, organisation },
        occasionOf(request),
      );
      // Before the answer: an answered revocation must survive a restore of the log.
      const key = answer.view.keys.find((candidate) => candidate.keyId === keyId);
      if (key?.revokedAt && key.revokedBy)
        await ended.add({ keyId, organisation, at: key.revokedAt, by: key.revokedBy });
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply.code(204).send(null);
    },
  );
};
