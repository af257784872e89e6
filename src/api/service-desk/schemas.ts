/** What the routes of the service desk's configuration take and give. contract.md section 5. */
import { z } from 'zod';
import {
  configurationSchema,
  storedConfigurationSchema,
} from '../../domain/service-desk/configuration.ts';
import { priorities } from '../../domain/ticket/events.ts';
import { CreateTicketBody, TicketBody } from '../tickets/schemas.ts';

export const ConfigurationBody = configurationSchema;

/** One that was put at any time: its bounds may have been wider then. */
export const SetConfigurationBody = storedConfigurationSchema;

const warnings = z
  .array(z.string())
  .describe('What is odd and was taken: a rule that never runs, behind one that always stops.');

export const ConfiguredBody = z.object({ ...storedConfigurationSchema.shape, warnings });

export const SimulateBody = z.strictObject({
  configuration: configurationSchema.optional().describe('Default: the one that is set.'),
  ticket: CreateTicketBody,
});

const instant = z.iso.datetime();

export const SimulationBody = z.object({
  ticket: TicketBody.omit({ id: true, number: true, revision: true }),
  rules: z.array(
    z.object({
      ruleId: z.string(),
      name: z.string(),
      outcome: z
        .enum(['matched', 'not_matched', 'disabled', 'not_reached'])
        .describe('`not_reached`: an earlier rule stopped.'),
      changes: z
        .object({
          priority: z.enum(priorities).optional(),
          assignedTeamId: z.string().optional(),
          assignedUserId: z.string().optional(),
          triage: z
            .enum(['done', 'forbidden'])
            .optional()
            .describe('`forbidden`: the workflow has no way from `new` to `triaged`.'),
          note: z.string().optional(),
        })
        .describe('Only what the rule changed.'),
    }),
  ),
  notes: z
    .array(z.object({ ruleId: z.string(), body: z.string() }))
    .describe('The system notes on its timeline.'),
  sla: z.object({
    policy: z.string().nullable().describe('`null`: none matches; the defaults by priority.'),
    firstResponseMinutes: z.int().nullable(),
    resolutionMinutes: z.int().nullable(),
    warningPercent: z.int(),
    firstResponseWarnsAt: instant.nullable(),
    resolutionWarnsAt: instant.nullable(),
    timeZone: z.string().nullable().describe('Of its calendar; `null`: around the clock.'),
    pauseWhileWaiting: z.boolean(),
  }),
  warnings,
});
