/**
 * Rules that watch what points tell, and the faults they find. contract.md section 6. Everything is
 * asked for in the name of an organisation.
 */
import type { PointsUpdated } from '../../domain/buildings/events.ts';
import type { Instant, Occasion, Refusal } from '../../engine/aggregates/decider.ts';
import type { TicketedFault } from '../../domain/telemetry/fault-ticket.ts';
import type { RaiseTicket } from '../../domain/telemetry/raise-ticket.ts';
import type { Condition } from '../../domain/telemetry/rules.ts';
import type { Page, Range } from '../graph/graph.ts';
import type { SampleRange } from './telemetry.ts';

export interface Diagnostics {
  /** Oldest first; `null` if the organisation has no such building. */
  rules(organisation: string, buildingId: string): Promise<readonly RuleRow[] | null>;

  /**
   * Makes a rule. It follows each of its points from the sample on that comes next. The same
   * `ruleId` again makes none: the answer is the one that is there.
   *
   * Refuses `NOT_FOUND`, `REFERENCE_NOT_FOUND` for a point that is not the building's,
   * `RULE_LIMIT_REACHED` beyond {@link RULES_OF_BUILDING_MAX} rules of a building or
   * {@link RULES_OF_POINT_MAX} that can match one point, and `IDEMPOTENCY_KEY_REUSED`.
   */
  createRule(
    organisation: string,
    buildingId: string,
    rule: RuleDraft,
    options: NewRule,
  ): Promise<{ readonly rule: RuleRow; readonly replayed: boolean } | Refusal>;

  /**
   * Deletes a rule and closes its faults.
   *
   * @returns False where there is no such rule.
   */
  deleteRule(
    organisation: string,
    buildingId: string,
    ruleId: string,
    occasion: Occasion,
  ): Promise<boolean>;

  /**
   * The faults that a rule would have found in stored samples, by point and then by time. Writes
   * nothing.
   *
   * Refuses as {@link Diagnostics.createRule} does, and `VALIDATION_FAILED` if points times days
   * exceed {@link DRY_RUN_POINT_DAYS_MAX}.
   *
   * @param signal Rejects with its reason when the caller is gone.
   */
  dryRun(
    organisation: string,
    buildingId: string,
    rule: RuleTarget & Condition,
    range: SampleRange,
    signal: AbortSignal,
  ): Promise<readonly FoundFault[] | Refusal>;

  /** Newest first; `null` if the organisation has no such building. */
  faults(
    organisation: string,
    buildingId: string,
    range: Range & FaultFilter,
  ): Promise<Page<FaultRow> | null>;

  /** `null` if the organisation has no such building, or it no such fault. */
  fault(organisation: string, buildingId: string, faultId: string): Promise<FaultDetail | null>;

  /** The fault gets a ticket: it announces its turns from now on. Idempotent. */
  noteTicket(faultId: string, at: Instant): Promise<void>;

  /** Whether anything watches the building. */
  hasRules(buildingId: string): Promise<boolean>;

  /**
   * Evaluates the rules of a building on an ingest, in slices of bounded work. The findings of a
   * slice are recorded with its announcements, and repeated samples count once: an interrupted
   * evaluation continues where it stopped.
   *
   * @throws If `signal` aborts.
   */
  evaluate(fact: PointsUpdated, occasion: Evaluation, signal: AbortSignal): Promise<void>;

  /**
   * When the next fault begins or ends without further samples; `null`: never.
   *
   * @param except Excluded buildings.
   */
  nextDueAt(except?: readonly string[]): Promise<Instant | null>;

  /**
   * Records faults that began or ended by the occasion without a sample. Idempotent.
   *
   * @returns The buildings that failed, with their errors; the others are done.
   * @throws If `signal` aborts, or the database cannot be queried at all.
   */
  recordDue(occasion: Occasion, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
}

/** Whom an announcement is by. */
export interface Evaluation extends Occasion {
  readonly organisation: string;
  /** Of the span that has led to it. */
  readonly traceparent?: string | undefined;
}

/** One point, or all of a class that the building has or gets. */
export type RuleTarget =
  | { readonly pointId: string; readonly pointClass: null }
  | { readonly pointId: null; readonly pointClass: string };

export type RuleDraft = RuleTarget &
  Condition & {
    readonly title: string;
    readonly severity: string;
    /** Absent: its faults raise no tickets. */
    readonly raiseTicket?: RaiseTicket;
  };

export interface NewRule {
  readonly ruleId: string;
  readonly at: Instant;
  /** With it, the same rule id again is the same rule. */
  readonly bodyHash?: string | undefined;
}

export type RuleRow = RuleDraft & { readonly ruleId: string; readonly createdAt: Instant };

export interface FoundFault {
  readonly pointId: string;
  readonly openedAt: Instant;
  /** `null`: it was open at the end. */
  readonly closedAt: Instant | null;
  /** `null`: the point was never heard. */
  readonly value: number | boolean | null;
  /** Of a fault that has flapped: whether it still does, at the end. */
  readonly flapping?: boolean;
  readonly flapCount?: number;
}

/** With what its ticket says. */
export interface FaultDetail extends FaultRow, TicketedFault {}

/** All of them must hold. */
interface FaultFilter {
  readonly open?: boolean | undefined;
  /** Of points in this room. */
  readonly spaceId?: string | undefined;
}

export interface FaultRow {
  readonly faultId: string;
  readonly ruleId: string;
  readonly pointId: string;
  readonly elementId: string;
  readonly severity: string;
  readonly title: string;
  /** `null`: the point was never heard. */
  readonly value: number | boolean | null;
  readonly openedAt: Instant;
  readonly closedAt: Instant | null;
  /** Of a fault that has flapped: whether it still does. */
  readonly flapping?: boolean;
  /** Openings beyond the bound that it covers. */
  readonly flapCount?: number;
}
