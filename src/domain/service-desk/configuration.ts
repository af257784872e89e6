/**
 * An organisation's settings for its service desk: service levels, business hours, routing rules,
 * workflows and request types. One document, stored and returned as it was put. contract.md 5.
 *
 * The schemas bound shapes and sizes; `problems.ts` checks whether the parts fit together. A stored
 * document may exceed the bounds, which were lowered once. Members are added and never renamed.
 */
import { z } from 'zod';
import { directorySchema } from '../people/directory.ts';
import { priorities } from '../tickets/events.ts';
import { ticketStates } from '../tickets/graph.ts';
import { assigneeText, categoryText, requestTypeText } from '../tickets/words.ts';
import {
  CALENDAR_HOLIDAYS_MAX,
  CALENDARS_MAX,
  DAY_INTERVALS_MAX,
  DESK_NAME_CHARACTERS_MAX,
  MATCH_TEXT_CHARACTERS_MAX,
  MATCH_VALUES_MAX,
  PERSONAL_DATA_MONTHS_MAX,
  ROUTING_RULES_MAX,
  SLA_MINUTES_MAX,
  SLA_POLICIES_MAX,
  WORKFLOWS_MAX,
} from './limits.ts';
import {
  ASSIGNEE_CHARACTERS_MAX,
  CATEGORY_CHARACTERS_MAX,
  TEXT_CHARACTERS_MAX,
} from '../../limits.ts';
import { weekdays, type BusinessCalendar } from './business-hours.ts';
import { requestTypesSchema } from './request-types.ts';

/** Stored ones may be of invisible characters, which `problemsOf` refuses in a new document. */
const spoken = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((value) => value.trim() !== '', 'must not be blank');

const name = spoken(DESK_NAME_CHARACTERS_MAX);
/** Internal ids are stored in lower case, but accepted in any case. */
const id = z.uuid().toLowerCase();

/** Who may report to a service desk, from no one to anyone without signing in. */
const requesterAccesses = ['off', 'signed-in', 'anyone'] as const;
export type RequesterAccess = (typeof requesterAccesses)[number];

/** The bounds of a document that have changed over time. */
interface Bounds {
  /** Prefix of its schemas' names, which must be unique. */
  readonly called: string;
  readonly matchValuesMax: number;
  readonly matchTextCharactersMax: number;
  readonly holidaysMax: number;
  readonly workflowsMax: number;
  readonly category: z.ZodType<string, string>;
  readonly assignee: z.ZodType<string, string>;
  readonly requestType: z.ZodType<string, string>;
}

const currentBounds: Bounds = {
  called: '',
  matchValuesMax: MATCH_VALUES_MAX,
  matchTextCharactersMax: MATCH_TEXT_CHARACTERS_MAX,
  holidaysMax: CALENDAR_HOLIDAYS_MAX,
  workflowsMax: WORKFLOWS_MAX,
  category: categoryText,
  assignee: assigneeText,
  requestType: requestTypeText,
};

/** Documents stored before the bounds were lowered, when texts were not trimmed. */
const storedBounds: Bounds = {
  called: 'Stored',
  matchValuesMax: 200,
  matchTextCharactersMax: 200,
  holidaysMax: 1_000,
  workflowsMax: 200,
  category: spoken(CATEGORY_CHARACTERS_MAX),
  assignee: spoken(ASSIGNEE_CHARACTERS_MAX),
  requestType: requestTypeText,
};

const matchWithin = (bounds: Bounds) => {
  const { called, matchValuesMax, matchTextCharactersMax, category, requestType } = bounds;
  const oneOrMore = <Value extends z.ZodType>(value: Value) =>
    z.exactOptional(z.union([value, z.array(value).min(1).max(matchValuesMax)]));
  return z
    .strictObject({
      requestType: oneOrMore(requestType),
      priority: oneOrMore(z.enum(priorities)),
      category: oneOrMore(category),
      buildingId: oneOrMore(id),
      storeyId: oneOrMore(id),
      spaceId: oneOrMore(id),
      elementId: oneOrMore(id),
      text: z
        .exactOptional(spoken(matchTextCharactersMax))
        .describe('A word or phrase in subject or description, case-insensitive.'),
    })
    .meta({ id: `${called}TicketMatch` });
};
/** All conditions must hold. An empty match matches every ticket. */
type MatchSchema = ReturnType<typeof matchWithin>;
export type Match = z.infer<MatchSchema>;

const minutes = z.int().min(1).max(SLA_MINUTES_MAX).nullable();

const slaPolicyWithin = ({ called }: Bounds, match: MatchSchema) =>
  z
    .strictObject({
      name,
      match: z.exactOptional(match),
      firstResponseMinutes: minutes.describe('`null`: no such clock.'),
      resolutionMinutes: minutes.describe('`null`: no such clock.'),
      warningPercent: z.exactOptional(z.int().min(1).max(99)).describe('Default 80.'),
      calendar: z.exactOptional(name).describe('Name of a calendar. Default: around the clock.'),
      pauseWhileWaiting: z.exactOptional(z.boolean()).describe('Default false.'),
    })
    .meta({ id: `${called}SlaPolicy` });
export type SlaPolicy = z.infer<ReturnType<typeof slaPolicyWithin>>;

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 09:00');

const intervals = z.exactOptional(z.array(z.tuple([time, time])).max(DAY_INTERVALS_MAX));

const weekSchema = z
  .strictObject({
    monday: intervals,
    tuesday: intervals,
    wednesday: intervals,
    thursday: intervals,
    friday: intervals,
    saturday: intervals,
    sunday: intervals,
  } satisfies Record<(typeof weekdays)[number], unknown>)
  .meta({ id: 'BusinessWeek' });

const calendarWithin = ({ called, holidaysMax }: Bounds): z.ZodType<BusinessCalendar> =>
  z
    .strictObject({
      timeZone: z
        .string()
        .min(1)
        .max(DESK_NAME_CHARACTERS_MAX)
        .describe('IANA name, such as Europe/Berlin.'),
      weekly: weekSchema,
      holidays: z.array(z.iso.date()).max(holidaysMax),
    })
    .meta({ id: `${called}BusinessCalendar` });

const routingRuleWithin = ({ called, assignee }: Bounds, match: MatchSchema) =>
  z
    .strictObject({
      ruleId: name,
      name,
      enabled: z.exactOptional(z.boolean()).describe('Default true.'),
      match,
      assignTeamId: z.exactOptional(assignee),
      assignUserId: z.exactOptional(assignee),
      raisePriorityTo: z
        .exactOptional(z.enum(priorities))
        .describe('Raises the priority to this one; never lowers it.'),
      triage: z
        .exactOptional(z.boolean())
        .describe('Whether to move the ticket to `triaged`. Default false.'),
      note: z
        .exactOptional(spoken(TEXT_CHARACTERS_MAX))
        .describe('Text of a system note to add to the ticket.'),
      stop: z
        .exactOptional(z.boolean())
        .describe('Whether to skip all later rules. Default false.'),
    })
    .meta({ id: `${called}RoutingRule` });
export type RoutingRule = z.infer<ReturnType<typeof routingRuleWithin>>;

const workflowSchema = z
  .strictObject({
    requestType: requestTypeText,
    transitions: z
      .partialRecord(z.enum(ticketStates), z.array(z.enum(ticketStates)).max(ticketStates.length))
      .describe(
        'Allowed target states, by state. A state that is left out keeps all its transitions.',
      ),
  })
  .meta({ id: 'Workflow' });

const configurationWithin = (bounds: Bounds) => {
  const match = matchWithin(bounds);
  return z.strictObject({
    timeZone: z
      .exactOptional(z.string().min(1).max(DESK_NAME_CHARACTERS_MAX))
      .describe('Time zone of the days in reports, such as Europe/Berlin. Default UTC.'),
    slaPolicies: z.array(slaPolicyWithin(bounds, match)).max(SLA_POLICIES_MAX),
    calendars: z
      .record(name, calendarWithin(bounds))
      .refine((all) => Object.keys(all).length <= CALENDARS_MAX, `at most ${CALENDARS_MAX}`)
      .meta({ maxProperties: CALENDARS_MAX }),
    routingRules: z.array(routingRuleWithin(bounds, match)).max(ROUTING_RULES_MAX),
    workflows: z.array(workflowSchema).max(bounds.workflowsMax),
    directory: z.exactOptional(directorySchema),
    requesterAccess: z
      .exactOptional(z.enum(requesterAccesses))
      .describe(
        'Who may report problems as a requester: nobody (`off`), signed-in people with the ' +
          'role `requester` (`signed-in`), or also people without sign-in (`anyone`). Default ' +
          '`off`.',
      ),
    personalDataMonths: z
      .exactOptional(z.int().min(1).max(PERSONAL_DATA_MONTHS_MAX))
      .describe(
        'The personal data of closed and cancelled tickets is erased after that many months ' +
          'without a change. Default: never.',
      ),
    requestTypes: z
      .exactOptional(requestTypesSchema)
      .describe(
        'The forms of these types validate `formData`. The `formData` of any other request ' +
          'type is free-form.',
      ),
  });
};

/** A document that can be put. */
export const configurationSchema = configurationWithin(currentBounds);

/** A document that could be put at some time: the schema of stored documents. */
export const storedConfigurationSchema = configurationWithin(storedBounds);
export type Configuration = z.infer<typeof configurationSchema>;

/** The configuration of an organisation that has set none. */
export const emptyConfiguration: Configuration = {
  slaPolicies: [],
  calendars: {},
  routingRules: [],
  workflows: [],
};

/** Default: `off`. */
export const requesterAccessOf = ({
  requesterAccess = 'off',
}: Pick<Configuration, 'requesterAccess'>): RequesterAccess => requesterAccess;

/** The zone in which the organisation's days begin. */
export const timeZoneOf = ({ timeZone }: Pick<Configuration, 'timeZone'>): string =>
  timeZone ?? DEFAULT_TIME_ZONE;

const DEFAULT_TIME_ZONE = 'UTC';

/** The workflow of a request type; `undefined`: the whole graph. */
export const workflowOf = (
  { workflows }: Pick<Configuration, 'workflows'>,
  requestType: string,
): Configuration['workflows'][number] | undefined =>
  workflows.find((workflow) => workflow.requestType === requestType);
