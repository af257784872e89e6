/** The texts and priority of the ticket of a fault. Pure. contract.md section 6. */
import { priorities, type Priority } from '../tickets/events.ts';
import { ticketDefaults } from '../tickets/draft.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { FaultClosed } from './fault-events.ts';
import type { Comparison, Condition } from './rules.ts';

/** The part of a fault that its ticket describes. */
export interface TicketedFault {
  /** The rule's title when the fault was opened. */
  readonly title: string;
  readonly severity: string;
  /** `null`: the point never had a sample. */
  readonly value: number | boolean | null;
  readonly openedAt: Instant;
  readonly point: {
    readonly code: string;
    readonly name: string;
    readonly pointClass: string;
    readonly unit: string | null;
  };
  /** `null`: its rule was deleted. */
  readonly condition: Condition | null;
}

/** The priority that a severity names, in any case; `null`: none. */
export const namedPriority = (severity: string): Priority | null => {
  const word = severity.trim().toLowerCase();
  return priorities.find((priority) => priority === word) ?? null;
};

/** A severity that is the name of a priority is that priority; any other is the default. */
export const priorityOf = (severity: string): Priority =>
  namedPriority(severity) ?? ticketDefaults.priority;

/** Subject and description; both within the bounds of a ticket, because their parts are. */
export const textsOf = (fault: TicketedFault): { subject: string; description: string } => {
  const { title, severity, value, openedAt, point, condition } = fault;
  const lines = [
    `The diagnostic rule "${title}" opened a fault of severity ${severity} at ${openedAt}.`,
    `Point: ${point.name} (${point.code}, ${point.pointClass})`,
    `Value: ${value === null ? 'never observed' : valueText(value, point.unit)}`,
    ...(condition === null ? [] : [`Condition: ${conditionText(condition, point.unit)}`]),
  ];
  return { subject: title, description: lines.join('\n') };
};

/** The note of a ticket whose fault has closed. */
export const closedText = ({ closedAt, why }: Pick<FaultClosed, 'closedAt' | 'why'>): string =>
  `The fault closed at ${closedAt}: ${causes[why]}.`;

const causes: Readonly<Record<FaultClosed['why'], string>> = {
  recovered: 'its condition no longer holds',
  rule_deleted: 'its diagnostic rule was deleted or no longer watches the point',
};

/** The note of a ticket whose fault is open again. */
export const reopenedText = 'The fault is open again, because it is flapping.';

const valueText = (value: number | boolean, unit: string | null): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : withUnit(value, unit);

const withUnit = (value: number, unit: string | null): string =>
  unit === null ? String(value) : `${value} ${unit}`;

const conditionText = (
  { comparison, threshold, forSeconds }: Condition,
  unit: string | null,
): string => {
  const held = forSeconds === 0 ? '' : ` for ${forSeconds} s`;
  return comparison === 'stale'
    ? `no observation for ${threshold} s${held}`
    : `${words[comparison]} ${withUnit(threshold, unit)}${held}`;
};

const words: Readonly<Record<Exclude<Comparison, 'stale'>, string>> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
};
