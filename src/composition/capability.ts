import type { FastifyInstance } from 'fastify';
import type { ApiTag } from '../api/http/openapi.ts';
import type { LiveService } from '../api/live/service.ts';
import type { OnCaller } from '../api/sessions/authenticate.ts';
import type { TakeUpgrade } from '../api/http/upgrades.ts';
import type { ConsumerRunner } from '../engine/consumers/runtime.ts';
import type { AnyProcess } from '../engine/processes/process.ts';
import type { AnyTimerTable, DueTable } from '../engine/timers/timer-table.ts';
import type { TimerWaker } from '../engine/timers/timer-waker.ts';
import type { AnyProjection } from '../engine/projections/projection.ts';
import type { AnyTypedCodec } from '../engine/log/codec.ts';
import type { KeptStreams } from '../engine/retention/terms.ts';
import type { Core } from './core.ts';
import type { DegradablePart } from './readiness.ts';

/**
 * A feature of Atrium: its routes, read models, processes and timers. A new one is a file here, its
 * own folders, and one line of `compose.ts`; permissions, error codes and migrations have lists of
 * their own (docs/add-a-capability.md). design.md decision 19.
 *
 * The members beside `compose` are values, so that operator commands can read them without a
 * running platform.
 */
export interface Capability {
  /** The tag of its routes in the OpenAPI document. Absent: the document lists none of them. */
  readonly tag?: ApiTag;
  /** The streams that it writes, with the retention of each. */
  readonly streams?: readonly CapabilityStreams[];
  /** The read models that it feeds and reads, each in the version of this release. */
  readonly projections?: readonly AnyProjection[];
  /** The names of its processes: they are registered before the first request is served. */
  readonly processes?: readonly string[];
  readonly timers?: readonly DueTable[];
  /** Served by the main platform only, not inside sandboxes. Default false. */
  readonly isOutsideSandboxes?: boolean;
  /** Builds its parts. Without side effects: no SQL statement, no timer, no listener. */
  readonly compose: (core: Core) => ComposedCapability;
}

/** The streams of one category; several categories may share a codec. */
export interface CapabilityStreams extends KeptStreams {
  readonly codec: AnyTypedCodec;
}

export interface ComposedCapability {
  /** Registered where this process has the role `api`. */
  readonly routes?: (app: FastifyInstance) => Promise<void>;
  /** Called with each authenticated caller before the request is handled. Must return at once. */
  readonly onCaller?: OnCaller;
  /** Called for each connection upgrade where this process has the role `api`. */
  readonly takeUpgrade?: TakeUpgrade;
  /** Serves clients of another listener, inside sandboxes. */
  readonly live?: LiveService;
  /** Run where it has the role `processes`. */
  readonly processes?: readonly AnyProcess[];
  readonly timers?: readonly AnyTimerTable[];
  /** Work under a lease, run where it has the role `processes`. */
  readonly runners?: readonly ConsumerRunner[];
  /** Processes that are run where it has the role `sandboxes` instead. */
  readonly hosting?: readonly AnyProcess[];
  /** For timers that fire their rows by a custom waker. */
  readonly wakers?: readonly TimerWaker[];
  readonly degradable?: readonly DegradablePart[];
  /** Work that goes on in every process until `signal` aborts, whatever its roles. */
  readonly background?: (signal: AbortSignal) => Promise<void>;
}
