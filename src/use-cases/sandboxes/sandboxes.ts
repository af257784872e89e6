/** Sandboxes and allowances in the log. */
import {
  allowanceAfter,
  allowanceDecider,
  type Allowance,
  type AllowanceCommand,
} from '../../domain/sandboxes/allowance.ts';
import { sandboxDecider, type SandboxCommand } from '../../domain/sandboxes/sandbox.ts';
import { sandboxAfter, type SandboxView } from '../../domain/sandboxes/view.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import { allowanceCodec, sandboxCodec } from '../../domain/sandboxes/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

/** `sandbox-<sandboxId>`. */
export type Sandboxes = Aggregate<SandboxCommand, SandboxView>;
/** `allowance-<developer>`. */
export type Allowances = Aggregate<AllowanceCommand, Allowance>;

export const sandboxRepository = (log: EventStore): Sandboxes =>
  aggregate({
    log,
    category: 'sandbox',
    codec: sandboxCodec,
    decider: sandboxDecider,
    viewAfter: sandboxAfter,
  });

export const allowanceRepository = (log: EventStore): Allowances =>
  aggregate({
    log,
    category: 'allowance',
    codec: allowanceCodec,
    decider: allowanceDecider,
    viewAfter: allowanceAfter,
  });
