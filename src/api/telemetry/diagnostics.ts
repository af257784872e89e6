import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { Diagnostics, RuleDraft, RuleRow } from '../../building/telemetry/diagnostics.ts';
import {
  callerIn,
  organisationIn,
  requirePermission,
  type OccasionOf,
} from '../sessions/authenticate.ts';
import { commandIdOf, madeIdOf } from '../http/commands.ts';
import { withPermit } from '../http/permits.ts';
import { invalid, notFound, refused } from '../http/problems.ts';
import {
  DryRunBody,
  FoundListBody,
  RuleBody,
  RuleDraftBody,
  RuleListBody,
  RuleParams,
  type RuleInput,
} from './diagnostics-schemas.ts';
import { BuildingParams } from './schemas.ts';

export interface DiagnosticsRouteOptions {
  readonly diagnostics: Diagnostics;
  /** Bounds concurrent dry runs. */
  readonly simulations: FairSemaphore;
  readonly occasionOf: OccasionOf;
}

const BUILDING = '/api/v1/buildings/:buildingId';
const RULES = `${BUILDING}/diagnostic-rules`;
const tags = ['telemetry'];
const canRead = { permission: 'platform.buildings:read' } as const;
const canWrite = { permission: 'platform.buildings:write' } as const;

export const diagnosticsRoutes: FastifyPluginAsyncZod<DiagnosticsRouteOptions> = async (
  app,
  { diagnostics, simulations, occasionOf },
) => {
  app.get(
    RULES,
    {
      config: canRead,
      schema: {
        operationId: 'listDiagnosticRules',
        tags,
        summary: "The building's diagnostic rules, oldest first",
        params: BuildingParams,
        response: { 200: RuleListBody },
      },
    },
    async (request) => {
      const { buildingId } = request.params;
      const rules = await diagnostics.rules(organisationIn(request), buildingId);
      if (!rules) throw notFound('building');
      return { items: rules.map(ruleBody) };
    },
  );

  app.post(
    RULES,
    {
      config: canWrite,
      schema: {
        operationId: 'createDiagnosticRule',
        tags,
        summary: 'Create a diagnostic rule for a point or a point class',
        description:
          'The rule evaluates each point from its next sample on. It opens one fault per ' +
          'point, which closes when the condition no longer holds; while the fault is open, ' +
          'the rule opens no other one for that point. After 12 faults for a point within an ' +
          'hour, the last one stays open as `flapping` until the condition is quiet. A ' +
          'building has at most 200 rules, of which at most 20 can match one point. With ' +
          '`raiseTicket` each fault raises a ticket, at most 20 per rule and hour.',
        params: BuildingParams,
        body: RuleDraftBody,
        conventions: ['idempotency-key', 'location'],
        problems: ['REFERENCE_NOT_FOUND', 'RULE_LIMIT_REACHED'],
        response: { 201: RuleBody },
      },
    },
    async (request, reply) => {
      const { buildingId } = request.params;
      if (request.body.raiseTicket !== undefined)
        requirePermission(callerIn(request), 'service-desk.tickets:write');
      const command = commandIdOf(request);
      const outcome = await diagnostics.createRule(
        organisationIn(request),
        buildingId,
        draftOf(request.body),
        {
          ruleId: madeIdOf(command),
          at: occasionOf(request).at,
          bodyHash: command.bodyHash,
        },
      );
      if (isRefusal(outcome)) throw refused(outcome);
      const { rule, replayed } = outcome;
      if (replayed) void reply.header('idempotent-replayed', 'true');
      const path = RULES.replace(':buildingId', buildingId);
      return reply.code(201).header('location', `${path}/${rule.ruleId}`).send(ruleBody(rule));
    },
  );

  app.get(
    `${RULES}/:ruleId`,
    {
      config: canRead,
      schema: {
        operationId: 'getDiagnosticRule',
        tags,
        summary: 'Get one diagnostic rule',
        params: RuleParams,
        response: { 200: RuleBody },
      },
    },
    async (request) => {
      const { buildingId, ruleId } = request.params;
      const rules = await diagnostics.rules(organisationIn(request), buildingId);
      const rule = rules?.find((each) => each.ruleId === ruleId);
      if (!rule) throw notFound('diagnostic rule');
      return ruleBody(rule);
    },
  );

  app.delete(
    `${RULES}/:ruleId`,
    {
      config: canWrite,
      schema: {
        operationId: 'deleteDiagnosticRule',
        tags,
        summary: 'Delete a rule and close its faults',
        description: 'Again: 404; a repeat under the same `Idempotency-Key`: 204.',
        params: RuleParams,
        conventions: ['idempotency-key'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { buildingId, ruleId } = request.params;
      const { commandId, bodyHash } = commandIdOf(request);
      const outcome = await diagnostics.deleteRule(organisationIn(request), buildingId, ruleId, {
        commandId,
        bodyHash,
        occasion: occasionOf(request),
      });
      if (isRefusal(outcome)) throw refused(outcome);
      if (outcome.replayed) void reply.header('idempotent-replayed', 'true');
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${RULES}/dry-run`,
    {
      config: { ...canWrite, answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS },
      schema: {
        operationId: 'tryDiagnosticRule',
        tags,
        summary: 'Dry run: the faults that a rule would have found in stored samples',
        description:
          'Nothing is stored. The number of points times the number of days is at most 3,660: ' +
          'one point for ten years, or a hundred points for a month. A dry run that finds more ' +
          'than 10,000 faults is refused with `VALIDATION_FAILED`. Expired samples are not ' +
          'evaluated.',
        params: BuildingParams,
        body: DryRunBody,
        problems: ['REFERENCE_NOT_FOUND', 'RATE_LIMITED'],
        response: { 200: FoundListBody },
      },
    },
    async (request, reply) => {
      const { rule, from, to } = request.body;
      const now = occasionOf(request).at;
      const range = { fromMs: Date.parse(from), toMs: Math.min(Date.parse(to), Date.parse(now)) };
      if (Date.parse(from) > Date.parse(to))
        throw invalid([{ path: 'from', message: 'must not be after to' }]);
      const organisation = organisationIn(request);
      const { buildingId } = request.params;
      const found = await withPermit(simulations, request, reply, (gone) =>
        diagnostics.dryRun(organisation, buildingId, draftOf(rule), range, gone),
      );
      if (isRefusal(found)) throw refused(found);
      return { items: [...found] };
    },
  );
};

const draftOf = ({ pointId, pointClass, ...rule }: RuleInput): RuleDraft =>
  pointId === undefined
    ? { ...rule, pointId: null, pointClass: pointClass! }
    : { ...rule, pointId, pointClass: null };

/** Omits the selector that is not set. */
const ruleBody = ({ pointId, pointClass, ...rule }: RuleRow) => ({
  ...rule,
  ...(pointId === null ? { pointClass } : { pointId }),
});
