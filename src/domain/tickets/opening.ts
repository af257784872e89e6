/**
 * Opening a ticket: its rules and its service levels in one decision, so that the answer of the
 * create already shows them. contract.md section 5.
 */
import {
  isRefusal,
  type Decision,
  type Instant,
  type Refusal,
} from '../../engine/aggregates/decider.ts';
import { dueAfter } from '../service-desk/business-hours.ts';
import { emptyConfiguration, type Configuration } from '../service-desk/configuration.ts';
import { configuredTextsFinder, type TextsFinder } from '../service-desk/matching.ts';
import { route, type Routing } from '../service-desk/routing.ts';
import { slaTermsOf, type SlaTerms } from '../service-desk/sla-terms.ts';
import type { OpenTicket } from './commands.ts';
import { invalidMember } from './details.ts';
import type { TicketEvent, TicketFact } from './events.ts';
import { answersBy } from './form.ts';
import { keepableOf } from './free-form.ts';

/** The effect of an organisation's configuration on a new ticket. */
export interface Plan {
  readonly routing: Routing;
  /** The terms of the ticket after routing. */
  readonly terms: SlaTerms;
}

/**
 * The plans of a configuration for tickets. Prepared once for several tickets, because its texts
 * may be long; a ticket is searched once for all rules and policies.
 *
 * @param textsIn Finds at least the texts of the configuration. Default: those alone.
 */
export const plannerOf =
  (configuration: Configuration, textsIn: TextsFinder = configuredTextsFinder([configuration])) =>
  (draft: OpenTicket['draft']): Plan => {
    const foundTexts = textsIn(draft);
    const routing = route(configuration, draft, foundTexts);
    const left = { ...draft, priority: routing.priority };
    return { routing, terms: slaTermsOf(configuration, left, foundTexts) };
  };

/**
 * `formData` and `metadata` as they are stored. Refuses `VALIDATION_FAILED` where they cannot be,
 * or where `formData` does not fit the form.
 */
export const storedObjectsOf = (
  draft: Pick<OpenTicket['draft'], 'formData' | 'metadata'>,
  form: OpenTicket['form'],
): Pick<TicketFact<'TicketOpened'>, 'formData' | 'metadata'> | Refusal => {
  const formData = keepableOf(draft.formData);
  if (typeof formData === 'string') return invalidMember('formData', formData);
  const answers = form ? answersBy(form, formData) : { formData };
  if (isRefusal(answers)) return answers;
  const metadata = keepableOf(draft.metadata);
  if (typeof metadata === 'string') return invalidMember('metadata', metadata);
  return { formData: answers.formData, metadata };
};

/**
 * The ticket as requested, with the service levels that it has after routing, then the effects of
 * the rules, each fact with its rule.
 *
 * Refuses as {@link storedObjectsOf} does.
 *
 * @param plan Default: by {@link plannerOf}.
 */
export const openingOf = (
  { draft, configuration = emptyConfiguration, form, noteIds = [] }: OpenTicket,
  at: Instant,
  plan: Plan = plannerOf(configuration)(draft),
): Decision<TicketEvent> => {
  const objects = storedObjectsOf(draft, form);
  if (isRefusal(objects)) return objects;
  const { routing, terms } = plan;
  const { ruleIds } = routing;
  const opened: TicketEvent = {
    type: 'TicketOpened',
    ...draft,
    ...objects,
    ...levelsOf(terms, at),
    ...(ruleIds.length === 0 ? {} : { ruleIds: [...ruleIds] }),
  };
  return [
    opened,
    ...raised(routing),
    ...triaged(routing),
    ...assigned(routing),
    ...noted(routing, noteIds),
  ];
};

/**
 * Upper bound of the notes that rules add to a ticket: one each, and one about a forbidden triage.
 */
export const notesMaxOf = ({ routingRules }: Configuration): number => routingRules.length + 1;

type Levels = Pick<
  TicketFact<'TicketOpened'>,
  'slaFirstResponseDueAt' | 'slaResolutionDueAt' | 'slaPolicy' | 'slaWarning' | 'slaPause'
>;

/** The ticket's own copy of its terms, so that a later configuration does not change them. */
const levelsOf = (terms: SlaTerms, at: Instant): Levels => {
  const { policy, calendar, warningPercent, firstResponseMinutes, resolutionMinutes } = terms;
  const after = (minutes: number | null, percent = 100) =>
    minutes === null ? null : dueAfter(calendar, at, (minutes * percent) / 100);
  const dues = {
    slaFirstResponseDueAt: after(firstResponseMinutes),
    slaResolutionDueAt: after(resolutionMinutes),
  };
  if (policy === null) return dues;
  return {
    ...dues,
    slaPolicy: policy,
    slaWarning: {
      firstResponseAt: after(firstResponseMinutes, warningPercent),
      resolutionAt: after(resolutionMinutes, warningPercent),
    },
    ...(terms.pauseWhileWaiting ? { slaPause: { calendar, warningPercent } } : {}),
  };
};

const raised = ({ steps }: Routing): readonly TicketEvent[] =>
  steps.flatMap(({ ruleId, changes: { priority } }) =>
    priority === undefined ? [] : [{ type: 'TicketEdited', changes: { priority }, ruleId }],
  );

const triaged = ({ triagedBy }: Routing): readonly TicketEvent[] =>
  triagedBy === null
    ? []
    : [{ type: 'TicketTransitioned', from: 'new', to: 'triaged', ruleId: triagedBy }];

/** A rule's assignment counts as a first response, as a person's does. */
const assigned = ({
  assignedBy,
  assignedUserId,
  assignedTeamId,
}: Routing): readonly TicketEvent[] =>
  assignedBy === null
    ? []
    : [
        { type: 'TicketAssigned', assignedUserId, assignedTeamId, ruleId: assignedBy },
        { type: 'FirstResponseMade' },
      ];

/** @throws Error if there are too few ids: {@link notesMaxOf} gives their number. */
const noted = ({ notes }: Routing, noteIds: readonly string[]): readonly TicketEvent[] =>
  notes.map(({ ruleId, body }, index) => {
    const noteId = noteIds[index];
    if (noteId === undefined) throw new Error(`no id for note ${index + 1} of ${notes.length}`);
    return { type: 'SystemNoteAdded', noteId, body, ruleId };
  });
