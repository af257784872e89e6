import {
  projectionId,
  processId,
  timersId,
  type ConsumerId,
} from '../engine/consumers/consumer.ts';
import type { EventType } from '../engine/log/codec.ts';
import { PROCESS_CATEGORY, processCodec } from '../engine/processes/process-position.ts';
import type { AnyProjection } from '../engine/projections/projection.ts';
import { termsOf, type Terms } from '../engine/retention/terms.ts';
import type { DueTable } from '../engine/timers/timer-table.ts';
import { releaseCodec } from '../engine/log/release-events.ts';
import { clockCodec } from '../engine/control/virtual-clock.ts';
import type { Capability, CapabilityStreams } from './capability.ts';
import { eventTypesOf, versionsOf } from './event-types.ts';
import { retention, retentionStreams } from './retention.ts';

/** The parts of a list of capabilities that are known without a platform. */
export interface Release extends ReleaseParts {
  /** Every type of event that it stores and reads, under its name. */
  readonly eventTypes: ReadonlyMap<string, EventType>;
  /** The highest version of each event type that it reads. */
  readonly versionsRead: Readonly<Record<string, number>>;
  /** How long each stream is kept. */
  readonly terms: Terms;
  /** The parts that a sandbox has. */
  readonly inSandboxes: ReleaseParts;
  /** The consumers that a process with these roles runs. */
  consumersOf(roles: ReadonlySet<string>): readonly ConsumerId[];
}

export interface ReleaseParts {
  readonly capabilities: readonly Capability[];
  /** In the versions that this release feeds; an older release beside it feeds its own. */
  readonly projections: readonly AnyProjection[];
  readonly processes: readonly string[];
  readonly timers: readonly DueTable[];
}

/** Streams that no capability owns: the clock, the releases and the positions of processes. */
const platformStreams: readonly CapabilityStreams[] = [
  { category: 'clock', codec: clockCodec, kept: 'forever' },
  { category: 'release', codec: releaseCodec, kept: 'forever' },
  { category: PROCESS_CATEGORY, codec: processCodec, kept: 'forever' },
  retentionStreams,
];

/** @throws For a stream without a term, a category that is read but not declared, and the like. */
export const releaseOf = (declared: readonly Capability[]): Release => {
  const streams = [...declared.flatMap((one) => one.streams ?? []), ...platformStreams];
  const terms = termsOf(streams);
  const capabilities = [...declared, retention(terms)];
  const eventTypes = eventTypesOf([...new Set(streams.map(({ codec }) => codec))]);
  const all = partsOf(capabilities);
  for (const { name, categories } of all.projections) terms.assertDeclared(categories, name);
  return {
    ...all,
    eventTypes,
    versionsRead: versionsOf(eventTypes),
    terms,
    inSandboxes: partsOf(capabilities.filter((one) => !one.isOutsideSandboxes)),
    consumersOf: (roles) => [
      ...(roles.has('projections') ? all.projections.map(projectionId) : []),
      ...(roles.has('processes') || roles.has('sandboxes') ? all.processes.map(processId) : []),
      ...(roles.has('processes') ? all.timers.map(({ name }) => timersId(name)) : []),
    ],
  };
};

const partsOf = (capabilities: readonly Capability[]): ReleaseParts => ({
  capabilities,
  projections: capabilities.flatMap(({ projections = [] }) => projections),
  processes: capabilities.flatMap(({ processes = [] }) => processes),
  timers: capabilities.flatMap(({ timers = [] }) => timers),
});
