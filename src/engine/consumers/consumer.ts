/**
 * A consumer of the log: a projection, a process, or a timer table. This id identifies its lease,
 * its checkpoint, its parked streams and operators' requests.
 */
export type ConsumerId = string;

/** A version of a read model; another version of it is another consumer. */
export interface ProjectionVersion {
  readonly name: string;
  readonly version: number;
}

export const projectionId = ({ name, version }: ProjectionVersion): ConsumerId =>
  `projection/${name}@${version}`;

export const processId = (name: string): ConsumerId => `process/${name}`;

/** Work that consumes no events and needs one owner at a time. */
export const workId = (name: string): ConsumerId => `work/${name}`;

export const timersId = (name: string): ConsumerId => `timers/${name}`;

/** `null` for a consumer that is no projection, and for a shadow built beside the live model. */
export const projectionVersionOf = (consumer: ConsumerId): ProjectionVersion | null => {
  const parts = /^projection\/([a-z][a-z0-9-]*)@(\d+)$/.exec(consumer);
  return parts && { name: parts[1]!, version: Number(parts[2]) };
};
