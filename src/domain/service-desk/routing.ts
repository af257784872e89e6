/**
 * Routing: the effect of an organisation's rules on a new ticket.
 *
 * They run in order, each on the ticket as the previous ones left it: a later assignment replaces
 * an earlier one, member by member, and a raised priority is visible to the next rule. contract.md
 * section 5.
 */
import { priorities, type Priority } from '../tickets/events.ts';
import { mayMove } from '../tickets/graph.ts';
import { workflowOf, type Configuration, type RoutingRule } from './configuration.ts';
import { matches, type Routable } from './matching.ts';

export type { Routable } from './matching.ts';

export interface Routing {
  readonly priority: Priority;
  readonly assignedTeamId: string | null;
  readonly assignedUserId: string | null;
  /** The last rule that changed the assignment. */
  readonly assignedBy: string | null;
  /** The rule that triaged the ticket; `null`: it stays `new`. */
  readonly triagedBy: string | null;
  /** A rule would have triaged it, but the workflow has no such edge. */
  readonly triageForbidden: boolean;
  /** System notes, in their order. */
  readonly notes: readonly RoutingNote[];
  /** The rules that matched, in their order. */
  readonly ruleIds: readonly string[];
  /** The outcome of every rule, for explanations. */
  readonly steps: readonly RoutingStep[];
}

export interface RoutingNote {
  readonly ruleId: string;
  readonly body: string;
}

export interface RoutingStep {
  readonly ruleId: string;
  readonly name: string;
  /** `not_reached`: an earlier rule stopped. */
  readonly outcome: 'matched' | 'not_matched' | 'disabled' | 'not_reached';
  /** Only the members that the rule changed. */
  readonly changes: RoutingChanges;
}

export interface RoutingChanges {
  readonly priority?: Priority;
  readonly assignedTeamId?: string;
  readonly assignedUserId?: string;
  readonly triage?: 'done' | 'forbidden';
  readonly note?: string;
}

/**
 * Pure. Without rules the ticket stays as requested.
 *
 * @param foundTexts Texts of the configuration in the ticket: {@link configuredTextsFinder}.
 */
export const route = (
  configuration: Configuration,
  ticket: Routable,
  foundTexts: ReadonlySet<string>,
): Routing => {
  const workflow = workflowOf(configuration, ticket.requestType);
  const mayTriage = mayMove('new', 'triaged', workflow);
  let routing: Routing = { ...unrouted, priority: ticket.priority };
  let isStopped = false;

  for (const rule of configuration.routingRules) {
    const outcome = isStopped
      ? 'not_reached'
      : rule.enabled === false
        ? 'disabled'
        : matches(rule.match, { ...ticket, priority: routing.priority }, foundTexts)
          ? 'matched'
          : 'not_matched';
    const isMatched = outcome === 'matched';
    const changes = isMatched ? changesBy(rule, routing, mayTriage) : {};
    const step = { ruleId: rule.ruleId, name: rule.name, outcome, changes } as const;
    routing = { ...after(routing, rule, changes, ticket), steps: [...routing.steps, step] };
    if (isMatched) {
      routing = { ...routing, ruleIds: [...routing.ruleIds, rule.ruleId] };
      isStopped = rule.stop === true;
    }
  }
  return routing;
};

const changesBy = (rule: RoutingRule, routing: Routing, mayTriage: boolean): RoutingChanges => {
  const { raisePriorityTo: to, assignTeamId, assignUserId, note } = rule;
  const isTriage = rule.triage === true && routing.triagedBy === null && !routing.triageForbidden;
  return {
    ...(to !== undefined && isHigher(to, routing.priority) ? { priority: to } : {}),
    ...(assignTeamId === undefined || assignTeamId === routing.assignedTeamId
      ? {}
      : { assignedTeamId: assignTeamId }),
    ...(assignUserId === undefined || assignUserId === routing.assignedUserId
      ? {}
      : { assignedUserId: assignUserId }),
    ...(isTriage ? { triage: mayTriage ? 'done' : 'forbidden' } : {}),
    ...(note === undefined ? {} : { note }),
  };
};

const after = (
  routing: Routing,
  { ruleId, name }: RoutingRule,
  { triage, note, ...changed }: RoutingChanges,
  { requestType }: Routable,
): Routing => {
  const isAssigned = changed.assignedTeamId ?? changed.assignedUserId;
  const forbidden = {
    ruleId,
    body:
      `Rule "${name}" would have triaged this ticket; ` +
      `the workflow of "${requestType}" does not allow it.`,
  };
  return {
    ...routing,
    ...changed,
    ...(isAssigned === undefined ? {} : { assignedBy: ruleId }),
    ...(triage === 'done' ? { triagedBy: ruleId } : {}),
    ...(triage === 'forbidden' ? { triageForbidden: true } : {}),
    notes: [
      ...routing.notes,
      ...(triage === 'forbidden' ? [forbidden] : []),
      ...(note === undefined ? [] : [{ ruleId, body: note }]),
    ],
  };
};

const isHigher = (a: Priority, b: Priority): boolean =>
  priorities.indexOf(a) > priorities.indexOf(b);

const unrouted = {
  assignedTeamId: null,
  assignedUserId: null,
  assignedBy: null,
  triagedBy: null,
  triageForbidden: false,
  notes: [],
  ruleIds: [],
  steps: [],
} as const;
