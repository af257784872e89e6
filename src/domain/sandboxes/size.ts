/**
 * The size of a sandbox's database, estimated from its parameters before it is built: within 25 %
 * of the size that Postgres reports for the finished one (`bench/sandboxes.ts` prints both).
 *
 * The estimate covers generated data only, not later live telemetry and tickets.
 */
import { type Refusal, refuse } from '../../engine/aggregates/decider.ts';
import { contentsOf } from './generator/building.ts';
import type { SandboxParameters } from './parameters.ts';

/** A database made from the template, with tickets and rules. */
const EMPTY_BYTES = 10_800_000;
/** A node of the building's graph, with its indexes. */
const NODE_BYTES = 650;
/** The partitions of the months with telemetry. */
const PARTITIONS_BYTES = 250_000;
/** The latest value of a point. */
const LATEST_BYTES = 150;
/** The samples of a point and day, 15 minutes apart. */
const POINT_DAY_BYTES = 350;
/** The unfinished day, on average. */
const TODAY = 0.5;

export const estimatedBytesOf = (parameters: SandboxParameters): number => {
  const { nodes, points } = contentsOf(parameters);
  const days = parameters.seedTelemetryDays;
  const telemetry =
    days === 0 ? 0 : PARTITIONS_BYTES + points * (LATEST_BYTES + POINT_DAY_BYTES * (days + TODAY));
  return Math.round(EMPTY_BYTES + NODE_BYTES * nodes + telemetry);
};

export interface SizeBounds {
  /** Upper bound of one sandbox. */
  readonly bytesMax: number;
  /** Upper bound of all sandboxes of the host together. */
  readonly hostBytesMax: number;
}

/** Why a sandbox of this size can never be built; `null` if it can. */
export const refusedSize = (
  estimatedBytes: number,
  { bytesMax, hostBytesMax }: SizeBounds,
): Refusal | null => {
  const maxBytes = Math.min(bytesMax, hostBytesMax);
  if (estimatedBytes <= maxBytes) return null;
  const detail =
    `The sandbox would need about ${mib(estimatedBytes)} MiB; the limit is ` +
    `${mib(maxBytes)}. Request fewer storeys, spaces or days of telemetry, or sparser ` +
    'equipment.';
  return refuse('SANDBOX_TOO_LARGE', detail, { estimatedBytes, maxBytes });
};

const mib = (bytes: number): number => Math.round(bytes / 1024 ** 2);
