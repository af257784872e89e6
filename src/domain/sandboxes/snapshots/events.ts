/**
 * The stored events of a developer's snapshots, in `snapshots-<developer key>`. Names and shapes
 * here are a contract with every event ever stored.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/log/event-fields.ts';
import { sandboxParameters } from '../parameters.ts';

const snapshotId = text;

export const snapshotEventSchemas = {
  SnapshotRequested: z.strictObject({
    type: z.literal('SnapshotRequested'),
    snapshotId,
    organisation: text,
    /** The owner of the sandbox. */
    developer: text,
    name: text,
    sandboxId: text,
    /** The generation whose database is copied. */
    generation: z.int().min(1),
    /** Parameters of the sandbox, and of sandboxes made from the snapshot. */
    parameters: sandboxParameters,
    buildingId: z.uuid(),
    /** Estimated size of the sandbox when the snapshot was requested. */
    estimatedBytes: z.int().min(0),
    expiresAt: instant,
  }),
  SnapshotReady: z.strictObject({
    type: z.literal('SnapshotReady'),
    snapshotId,
    /** Size of its database. */
    bytes: z.int().min(0),
  }),
  SnapshotFailed: z.strictObject({
    type: z.literal('SnapshotFailed'),
    snapshotId,
    /** For people, and actionable. */
    reason: text,
  }),
  SnapshotExpired: z.strictObject({ type: z.literal('SnapshotExpired'), snapshotId }),
  SnapshotDeleted: z.strictObject({ type: z.literal('SnapshotDeleted'), snapshotId }),
};

export type SnapshotEvent = {
  [T in keyof typeof snapshotEventSchemas]: Readonly<z.infer<(typeof snapshotEventSchemas)[T]>>;
}[keyof typeof snapshotEventSchemas];
