/**
 * What the points of buildings tell: written first, then announced. contract.md section 6,
 * design.md decision 10. Everything is asked for in the name of an organisation, and a building of
 * another is answered like one that does not exist.
 */
import type { Instant, Occasion, Refusal } from '../domain/decider.ts';
import type { Observation } from '../domain/telemetry/observations.ts';

export interface Telemetry {
  /**
   * Takes the samples of one request, all of them or none, durable when this resolves. A sample of
   * a point and time that is there already replaces it.
   *
   * Refuses `NOT_FOUND` for a building that is not the organisation's, and what `misfitsOf` says.
   *
   * @param observations 1 to {@link OBSERVATIONS_AT_ONCE_MAX}.
   * @throws `LogUnavailable` if imports into the building came between again and again.
   */
  observe(
    organisation: string,
    buildingId: string,
    observations: readonly Observation[],
    occasion: IngestOccasion,
  ): Promise<{ readonly accepted: number } | Refusal>;
}

export interface IngestOccasion extends Occasion {
  /** UUID. */
  readonly commandId: string;
}

/** A sample as it is read. */
export interface SampleRow {
  readonly timestamp: Instant;
  readonly value: number | boolean;
}
