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

const SEVERITY = 'Your own word; common ones are critical, high, medium and low.';

const ruleMembers = {
  comparison: z
    .enum(comparisons)
    .describe(
      '`stale`: `threshold` seconds have passed since the last observation, or since the rule ' +
        'was created where there is no observation.',
    ),
  threshold: z
    .number()
    .describe('A value, in the unit of the point; a yes is 1. For `stale`, seconds above 0.'),
};
const RaiseTicketBody = z.exactOptional(raiseTicket.meta({ id: 'RaiseTicket' }));

const target = {
  pointId: id.optional().describe('Internal id. This or `pointClass`.'),
  pointClass: spokenText(POINT_CLASS_CHARACTERS_MAX)
    .optional()
    .describe('All points of this class, later ones included.'),
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
        'The condition must have held for so long. A value holds until the next one; where none ' +
          'comes, the clock of the platform counts.',
      ),
    raiseTicket: RaiseTicketBody.describe(
      'Each fault raises one ticket, which gets a note when the fault closes and is resolved ' +
        'unless somebody has moved it on. Needs `service-desk.tickets:write` too.',
    ),
  })
  .superRefine(({ pointId, pointClass, comparison, threshold, raiseTicket }, context) => {
    const say = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    if (raiseTicket?.category !== undefined && isBlank(raiseTicket.category))
      say('raiseTicket.category', 'must not be blank');
    if ((pointId === undefined) === (pointClass === undefined))
      say('pointId', 'must be there, or pointClass, and not both');
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
    pointId: z.uuid().optional().describe('The internal id that it has by now.'),
    pointClass: z.string().optional(),
    forSeconds: z.int(),
    raiseTicket: RaiseTicketBody.describe('Absent: its faults raise no tickets.'),
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
    to: instant.describe('Exclusive; the future is left out.'),
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
    .describe('That began it; `null` where `stale` waited for a point that was never heard.'),
  flapping: z
    .boolean()
    .optional()
    .describe(
      'Only of a fault that has flapped: it stays open beyond the 12 faults that a rule opens ' +
        'for one point in an hour. `true` until its condition has been quiet for an hour.',
    ),
  flapCount: z
    .int()
    .optional()
    .describe('Only of a fault that has flapped: further openings that it includes.'),
};

export const FoundListBody = z
  .object({
    items: z.array(z.object({ pointId: z.uuid(), ...found }).meta({ id: 'FoundFault' })),
  })
  .meta({ id: 'FoundFaultList' });
