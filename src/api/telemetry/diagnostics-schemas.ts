/** Schemas of the diagnostic rules routes. contract.md section 6. */
import { z } from 'zod';
import { isBlank } from '../../domain/blank.ts';
import { raiseTicket } from '../../domain/telemetry/raise-ticket.ts';
import { comparisons } from '../../domain/telemetry/rules.ts';
import {
  RULE_SECONDS_MAX_S,
  RULE_TITLE_CHARACTERS_MAX,
  SEVERITY_CHARACTERS_MAX,
} from './limits.ts';
import { POINT_CLASS_CHARACTERS_MAX } from '../../limits.ts';
import { exampled } from '../http/examples.ts';
import { id, spokenText, text } from '../http/text.ts';
import { BuildingParams, instant } from './schemas.ts';

export const RuleParams = BuildingParams.extend({ ruleId: id });

const exampleRule = {
  title: 'Too warm',
  severity: 'high',
  pointClass: 'Zone_Air_Temperature_Sensor',
  comparison: 'gt',
  threshold: 26,
  forSeconds: 900,
};

const SEVERITY = 'Free text; critical, high, medium and low are common.';

const ruleMembers = {
  comparison: z
    .enum(comparisons)
    .describe(
      '`stale`: `threshold` seconds have passed since the last observation, or since the rule ' +
        'was created where there is no observation.',
    ),
  threshold: z
    .number()
    .describe(
      'A value in the unit of the point, stored as the nearest double (IEEE 754); for a ' +
        'boolean point, yes is 1. For `stale`, a number of seconds above 0.',
    ),
};
const RaiseTicketBody = z.exactOptional(raiseTicket.meta({ id: 'RaiseTicket' }));

const target = {
  pointId: id.optional().describe('Internal id of a point. Give either this or `pointClass`.'),
  pointClass: spokenText(POINT_CLASS_CHARACTERS_MAX)
    .optional()
    .describe('All points of this class, including points that are added later.'),
};

export const RuleDraftBody = z
  .strictObject({
    title: spokenText(RULE_TITLE_CHARACTERS_MAX),
    severity: spokenText(SEVERITY_CHARACTERS_MAX).describe(SEVERITY),
    ...ruleMembers,
    ...target,
    forSeconds: z
      .int()
      .min(0)
      .max(RULE_SECONDS_MAX_S)
      .default(0)
      .describe(
        'How long the condition must hold before a fault opens. A value holds until the next ' +
          "one; while there is no next one, the platform's clock counts.",
      ),
    raiseTicket: RaiseTicketBody.describe(
      'Each fault raises one ticket. When the fault closes, the ticket gets a note and is ' +
        'resolved, unless its state or assignment has been changed by anything but a rule. ' +
        'Also needs `service-desk.tickets:write`.',
    ),
  })
  .superRefine(({ pointId, pointClass, comparison, threshold, raiseTicket }, context) => {
    const say = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    if (raiseTicket?.category !== undefined && isBlank(raiseTicket.category))
      say('raiseTicket.category', 'must not be blank');
    if ((pointId === undefined) === (pointClass === undefined))
      say('pointId', 'either this or pointClass is required, not both');
    if (comparison === 'stale' && (threshold <= 0 || threshold > RULE_SECONDS_MAX_S))
      say('threshold', `must be above 0 and at most ${RULE_SECONDS_MAX_S} seconds`);
  })
  .meta({ id: 'DiagnosticRuleDraft', ...exampled(exampleRule) });

export type RuleInput = z.output<typeof RuleDraftBody>;

export const RuleBody = z
  .object({
    ruleId: z.uuid(),
    title: text(RULE_TITLE_CHARACTERS_MAX),
    severity: text(SEVERITY_CHARACTERS_MAX).describe(SEVERITY),
    ...ruleMembers,
    pointId: z.uuid().optional().describe('The current internal id of the point.'),
    pointClass: z.string().optional(),
    forSeconds: z.int(),
    raiseTicket: RaiseTicketBody.describe('If absent, the faults of the rule raise no tickets.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'DiagnosticRule' });

export const RuleListBody = z
  .object({ items: z.array(RuleBody) })
  .meta({ id: 'DiagnosticRuleList' });

export const DryRunBody = z
  .strictObject({
    rule: RuleDraftBody,
    from: instant,
    to: instant.describe('Exclusive; a time in the future is treated as now.'),
  })
  .meta({
    id: 'DryRun',
    ...exampled({
      rule: exampleRule,
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
    }),
  });

/** Common members of faults and of results of a dry run. */
export const found = {
  openedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable().describe('`null` while it is open.'),
  value: z
    .union([z.number(), z.boolean()])
    .nullable()
    .describe(
      'The value that opened the fault; `null` if a `stale` rule fired for a point without ' +
        'any observation.',
    ),
  flapping: z
    .boolean()
    .optional()
    .describe(
      'Only for a fault that has flapped: after 12 faults of a rule for one point within ' +
        'an hour, the last one stays open. `true` until the condition has not recurred for ' +
        'an hour.',
    ),
  flapCount: z
    .int()
    .optional()
    .describe(
      'Only for a fault that has flapped: how often the condition recurred while the fault ' +
        'stayed open.',
    ),
};

export const FoundListBody = z
  .object({
    items: z.array(z.object({ pointId: z.uuid(), ...found }).meta({ id: 'FoundFault' })),
  })
  .meta({ id: 'FoundFaultList' });
