/**
 * The stored events of a sandbox. Names and shapes here are a contract with every event ever
 * stored: add an optional field, or a new event beside the old one; never rename, retype or reuse.
 *
 * A generation is one provisioning: the first, and one more for each reset. Facts about work name
 * their generation, so that late facts of an earlier one have no effect.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';
import { sandboxParameters } from './parameters.ts';
import { phases } from './phases.ts';

const generation = z.int().min(1);
/** A slot in the allowance of {@link developer}; released when the sandbox no longer counts. */
const placeId = z.uuid();
/** Key of the allowance that the sandbox counts in. */
const developer = text;

export const sandboxEventSchemas = {
  SandboxRequested: z.strictObject({
    type: z.literal('SandboxRequested'),
    sandboxId: text,
    organisation: text,
    developer,
    name: text,
    slug: text,
    parameters: sandboxParameters,
    placeId,
    generation,
    expiresAt: instant,
    /** The snapshot that its content is copied from. Absent: it is seeded. */
    branch: z
      .strictObject({
        snapshotId: text,
        buildingId: z.uuid(),
        bytes: z.int().min(0),
      })
      .optional(),
  }),
  /** The phases before it are done. */
  SandboxPhaseBegun: z.strictObject({
    type: z.literal('SandboxPhaseBegun'),
    generation,
    phase: z.enum(phases),
  }),
  SandboxReady: z.strictObject({
    type: z.literal('SandboxReady'),
    generation,
    buildingId: z.uuid(),
  }),
  SandboxFailed: z.strictObject({
    type: z.literal('SandboxFailed'),
    generation,
    /** For people, and actionable. */
    reason: text,
    developer,
    placeId,
  }),
  SandboxExtended: z.strictObject({
    type: z.literal('SandboxExtended'),
    days: z.int().min(1),
    expiresAt: instant,
  }),
  SandboxResetRequested: z.strictObject({
    type: z.literal('SandboxResetRequested'),
    generation,
    developer,
    placeId,
  }),
  /** Recorded once, a day before the end; an extension cancels it. */
  SandboxExpiringSoon: z.strictObject({
    type: z.literal('SandboxExpiringSoon'),
    expiresAt: instant,
  }),
  SandboxExpired: z.strictObject({ type: z.literal('SandboxExpired'), developer, placeId }),
  SandboxDeleted: z.strictObject({ type: z.literal('SandboxDeleted'), developer, placeId }),
};

/** The snapshot that a sandbox was made from. */
export type Branch = NonNullable<
  z.infer<(typeof sandboxEventSchemas)['SandboxRequested']>['branch']
>;

export type SandboxEvent = {
  [T in keyof typeof sandboxEventSchemas]: Readonly<z.infer<(typeof sandboxEventSchemas)[T]>>;
}[keyof typeof sandboxEventSchemas];
