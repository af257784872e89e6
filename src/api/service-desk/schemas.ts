/** Schemas of the service desk's configuration routes. contract.md section 5. */
import { z } from 'zod';
import {
  configurationSchema,
  storedConfigurationSchema,
} from '../../domain/service-desk/configuration.ts';
import { priorities } from '../../domain/tickets/events.ts';
import { CreateTicketBody, TicketBody } from '../tickets/schemas.ts';
import { TRIED_TICKETS_MAX } from './limits.ts';
import { demo, exampled } from '../http/examples.ts';

export const ConfigurationBody = configurationSchema.meta({
  id: 'ServiceDeskConfiguration',
  ...exampled({
    slaPolicies: [
      {
        name: 'urgent',
        match: { priority: 'critical' },
        firstResponseMinutes: 15,
        resolutionMinutes: 240,
      },
    ],
    calendars: {},
    routingRules: [
      {
        ruleId: 'gas',
        name: 'Smell of gas',
        match: { text: 'smell of gas' },
        raisePriorityTo: 'critical',
        assignTeamId: 'emergency',
        triage: true,
        stop: true,
      },
    ],
    workflows: [],
  }),
});

/** A configuration put at any time: its bounds may have been wider then. */
export const SetConfigurationBody = storedConfigurationSchema.meta({
  id: 'StoredServiceDeskConfiguration',
});

const warnings = z
  .array(z.string())
  .describe(
    'Accepted, but probably a mistake: a match on a place that does not exist, a rule ' +
      'that an earlier `stop` always prevents, a state without a way out in a workflow, a ' +
      'team member or an assignee that does not exist.',
  );

export const ConfiguredBody = z
  .object({ ...storedConfigurationSchema.shape, warnings })
  .meta({ id: 'ConfiguredServiceDesk' });

export const SimulateBody = z
  .strictObject({
    configuration: ConfigurationBody.optional().describe('Default: the current configuration.'),
    ticket: CreateTicketBody,
  })
  .meta({
    id: 'SimulationRequest',
    ...exampled({ ticket: { buildingId: demo.buildingId, description: 'A smell of gas' } }),
  });

const instant = z.iso.datetime();

/** As a create would make it, without the members that only an existing ticket has. */
const TicketPreviewBody = TicketBody.omit({ id: true, number: true, revision: true }).meta({
  id: 'TicketPreview',
});

const RuleOutcomeBody = z
  .object({
    ruleId: z.string(),
    name: z.string(),
    outcome: z
      .enum(['matched', 'not_matched', 'disabled', 'not_reached'])
      .describe('`not_reached`: an earlier rule with `stop` matched.'),
    changes: z
      .object({
        priority: z.enum(priorities).optional(),
        assignedTeamId: z.string().optional(),
        assignedUserId: z.string().optional(),
        triage: z
          .enum(['done', 'forbidden'])
          .optional()
          .describe(
            '`forbidden`: the workflow does not allow the transition from `new` to `triaged`.',
          ),
        note: z.string().optional(),
      })
      .describe('Only what the rule changed.'),
  })
  .meta({ id: 'RuleOutcome' });

export const SimulationBody = z
  .object({
    ticket: TicketPreviewBody,
    rules: z.array(RuleOutcomeBody),
    notes: z
      .array(z.object({ ruleId: z.string(), body: z.string() }))
      .describe('The system notes that the ticket would get.'),
    sla: z.object({
      policy: z
        .string()
        .nullable()
        .describe('`null` if no policy matches; then the defaults by priority apply.'),
      firstResponseMinutes: z.int().nullable(),
      resolutionMinutes: z.int().nullable(),
      warningPercent: z.int(),
      firstResponseWarnsAt: instant.nullable(),
      resolutionWarnsAt: instant.nullable(),
      timeZone: z
        .string()
        .nullable()
        .describe(
          "Time zone of the policy's calendar; `null` if the policy counts around the clock.",
        ),
      pauseWhileWaiting: z.boolean(),
    }),
    warnings,
  })
  .meta({ id: 'Simulation' });

export const TryConfigurationBody = z
  .strictObject({
    configuration: ConfigurationBody,
    limit: z.int().min(1).max(TRIED_TICKETS_MAX).default(TRIED_TICKETS_MAX),
  })
  .meta({
    id: 'ConfigurationTrial',
    ...exampled({
      configuration: { slaPolicies: [], calendars: {}, routingRules: [], workflows: [] },
      limit: 10,
    }),
  });

const OutcomeBody = z
  .object({
    state: TicketBody.shape.state,
    priority: z.enum(priorities),
    assignedTeamId: z.string().nullable(),
    assignedUserId: z.string().nullable(),
    ruleIds: z.array(z.string()).describe('The rules that matched, in their order.'),
    slaPolicy: z
      .string()
      .nullable()
      .describe('`null` if no policy matches; then the defaults by priority apply.'),
    slaFirstResponseDueAt: instant.nullable(),
    slaResolutionDueAt: instant.nullable(),
  })
  .meta({ id: 'TriedOutcome' });

export const TriedConfigurationBody = z
  .object({
    items: z.array(
      z
        .object({
          ticketId: z.uuid(),
          number: z.string(),
          title: z.string(),
          createdAt: instant,
          isChanged: z.boolean().describe('Whether the two outcomes differ.'),
          before: OutcomeBody.describe('The outcome with the current configuration.'),
          after: OutcomeBody.describe('The outcome with the configuration in the request.'),
        })
        .meta({ id: 'TriedTicket' }),
    ),
    warnings,
  })
  .meta({ id: 'ConfigurationTrialResult' });
