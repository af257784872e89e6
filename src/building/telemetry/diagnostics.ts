/**
 * Rules that evaluate the samples of points, and the faults they find. contract.md section 6. Every
 * call names an organisation.
 */
import type { PointsUpdated } from '../../domain/telemetry/events.ts';
import type { Instant, Occasion, Refusal } from '../../engine/aggregates/decider.ts';
import type { TicketedFault } from '../../domain/telemetry/fault-ticket.ts';
import type { RaiseTicket } from '../../domain/telemetry/raise-ticket.ts';
import type { Condition } from '../../domain/telemetry/rules.ts';
import type { KeyedCommand } from '../graph/command-keys.ts';
import type { Page, Range } from '../graph/graph.ts';
import type { SampleRange } from './telemetry.ts';

export interface Diagnostics {
  /** Oldest first; `null` if the organisation has no such building. */
  rules(organisation: string, buildingId: string): Promise<readonly RuleRow[] | null>;

  /**
   * Creates a rule, which evaluates each of its points from the next sample. Idempotent by
   * `ruleId`: a repeat returns the rule as created, and does not bring back a deleted one.
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
   * Deletes a rule and closes its faults. A repeat of the command changes nothing.
   *
   * Refuses `NOT_FOUND`, and `IDEMPOTENCY_KEY_REUSED`.
   */
  deleteRule(
    organisation: string,
    buildingId: string,
    ruleId: string,
    deletion: RuleDeletion,
  ): Promise<{ readonly replayed: boolean } | Refusal>;

  /**
   * The faults that a rule would have found in stored samples, sorted by point, then by time.
   * Writes nothing.
   *
   * Refuses as {@link Diagnostics.createRule} does, and `VALIDATION_FAILED` if points times days
   * exceed {@link DRY_RUN_POINT_DAYS_MAX}, or faults {@link DRY_RUN_FAULTS_MAX_ROWS}.
   *
   * @param signal Rejects with its abort reason, when the caller has disconnected.
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

  /** `null` if the organisation has no such building, or the building no such fault. */
  fault(organisation: string, buildingId: string, faultId: string): Promise<FaultDetail | null>;

  /** Records that the fault has a ticket, so that its later changes are announced. Idempotent. */
  noteTicket(faultId: string, at: Instant): Promise<void>;

  /** Whether the building has rules. */
  hasRules(buildingId: string): Promise<boolean>;

  /**
   * Evaluates the rules of a building on an ingest, in slices of bounded work. A slice's findings
   * are recorded together with its announcements, and repeated samples are idempotent, so that an
   * interrupted evaluation continues where it stopped. Rules that were created after the ingest
   * are not evaluated on it.
   *
   * @throws If `signal` aborts.
   */
  evaluate(fact: PointsUpdated, occasion: IngestEvaluation, signal: AbortSignal): Promise<void>;

  /**
   * The time at which the next fault begins or ends without further samples; `null`: never. A
   * building that cannot be searched counts as due at once: {@link recordDue} returns its error.
   *
   * @throws If `signal` aborts, or the database cannot be queried at all.
   */
  nextDueAt(signal: AbortSignal, look?: DueLook): Promise<Instant | null>;

  /**
   * Records faults that began or ended by the occasion without a sample. Idempotent.
   *
   * @returns The failed buildings, with their errors; the others are done.
   * @throws If `signal` aborts, or the database cannot be queried at all.
   */
  recordDue(
    occasion: Occasion,
    signal: AbortSignal,
    look?: DueLook,
  ): Promise<ReadonlyMap<string, unknown>>;
}

/** How buildings are searched for silent points, which takes a look at each point and rule. */
export interface DueLook {
  /** Buildings to exclude. Default: none. */
  readonly except?: readonly string[];
  /**
   * A building is not searched again for this long, unless its points or rules change or a silence
   * ends. An end that another process evaluates is not noticed. Default 0.
   */
  readonly rememberedMaxMs?: number;
}

/** The cause of an announcement. */
export interface Evaluation extends Occasion {
  readonly organisation: string;
  /** The causing span. */
  readonly traceparent?: string | undefined;
}

export interface IngestEvaluation extends Evaluation {
  /** By the clock that `createdAt` of rules is of. */
  readonly ingestedAt: Instant;
}

/** One point, or all current and future points of a class in the building. */
export type RuleTarget =
  | { readonly pointId: string; readonly pointClass: null }
  | { readonly pointId: null; readonly pointClass: string };

export type RuleDraft = RuleTarget &
  Condition & {
    readonly title: string;
    readonly severity: string;
    /** Absent: faults raise no tickets. */
    readonly raiseTicket?: RaiseTicket;
  };

export interface NewRule {
  readonly ruleId: string;
  readonly at: Instant;
  /** Makes the creation idempotent by rule id. */
  readonly bodyHash?: string | undefined;
}

export interface RuleDeletion extends Pick<KeyedCommand, 'commandId' | 'bodyHash'> {
  readonly occasion: Occasion;
}

export type RuleRow = RuleDraft & { readonly ruleId: string; readonly createdAt: Instant };

export interface FoundFault {
  readonly pointId: string;
  readonly openedAt: Instant;
  /** `null`: still open at the end. */
  readonly closedAt: Instant | null;
  /** `null`: the point had no sample. */
  readonly value: number | boolean | null;
  /** For a fault that has flapped: whether it is still flapping at the end. */
  readonly flapping?: boolean;
  readonly flapCount?: number;
}

/** A fault with the data for its ticket. */
export interface FaultDetail extends FaultRow, TicketedFault {}

/** All conditions must hold. */
interface FaultFilter {
  readonly open?: boolean | undefined;
  /** Only faults of points in this room. */
  readonly spaceId?: string | undefined;
}

export interface FaultRow {
  readonly faultId: string;
  readonly ruleId: string;
  readonly pointId: string;
  readonly elementId: string;
  readonly severity: string;
  readonly title: string;
  /** `null`: the point had no sample. */
  readonly value: number | boolean | null;
  readonly openedAt: Instant;
  readonly closedAt: Instant | null;
  /** For a fault that has flapped: whether it is still flapping. */
  readonly flapping?: boolean;
  /** Number of openings beyond the limit, which this fault covers. */
  readonly flapCount?: number;
}
