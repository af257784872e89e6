/** The truth about the deliberate faults in a sandbox's values. contract.md section 4. */
import type { FaultKind } from '../../domain/sandboxes/parameters.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import type { Instant, Refusal } from '../../engine/aggregates/decider.ts';

export interface PlantedFaultInSandbox {
  readonly kind: FaultKind;
  /** Ids as inside the sandbox. */
  readonly elementId: string;
  /** Ids of the points whose values it changes. */
  readonly pointIds: readonly string[];
  readonly from: Instant;
  /** Exclusive; the end of the values while the fault goes on. */
  readonly to: Instant;
}

/** `null`: unbounded, which means the beginning and the end of the sandbox's values. */
export interface PlantedFaultsRange {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * The faults of a ready sandbox, by time, without elements and points that were removed from it.
 *
 * Refuses `VALIDATION_FAILED` for a range with more than `PLANTED_FAULT_POINTS_MAX` points.
 *
 * @throws Errors of the sandbox's database.
 */
export type ReadPlantedFaults = (
  sandbox: SandboxView,
  range: PlantedFaultsRange,
  signal: AbortSignal,
) => Promise<readonly PlantedFaultInSandbox[] | Refusal>;
