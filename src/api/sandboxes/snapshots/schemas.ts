/** Schemas of the snapshot routes. contract.md section 4. */
import { z } from 'zod';
import { SNAPSHOT_ID } from '../../../domain/sandboxes/snapshots/ids.ts';
import {
  SNAPSHOT_KEPT_DAYS,
  SNAPSHOTS_OF_DEVELOPER_MAX,
} from '../../../domain/sandboxes/snapshots/limits.ts';
import type { SnapshotView } from '../../../domain/sandboxes/snapshots/view.ts';
import { exampled } from '../../http/examples.ts';
import { spokenText } from '../../http/text.ts';
import { ActorBody } from '../../http/actor.ts';
import { SANDBOX_NAME_CHARACTERS_MAX } from '../limits.ts';

/** An id of another form cannot exist: a 404, like any other unknown id. */
export const SnapshotParams = z.object({ snapshotId: z.string().regex(SNAPSHOT_ID) });

export const NewSnapshotBody = z
  .strictObject({ name: spokenText(SANDBOX_NAME_CHARACTERS_MAX).describe('Display name.') })
  .meta({ id: 'NewSnapshot', ...exampled({ name: 'With faults' }) });

const instant = z.iso.datetime();

export const SnapshotBody = z
  .object({
    snapshotId: z.string().regex(SNAPSHOT_ID),
    name: z.string(),
    sandboxId: z.string().describe('The sandbox that was copied. It may have been deleted since.'),
    status: z.enum(['creating', 'ready', 'failed']),
    bytes: z
      .int()
      .nullable()
      .describe('Size of its database; `null` until the snapshot is `ready`.'),
    buildingId: z
      .uuid()
      .describe('Id of the building in each sandbox that is created from the snapshot.'),
    createdAt: instant,
    createdBy: ActorBody,
    expiresAt: instant.describe(`${SNAPSHOT_KEPT_DAYS} days after the request.`),
    failureReason: z.string().nullable().describe('Present when `failed`.'),
  })
  .meta({ id: 'Snapshot' });

export const SnapshotListBody = z
  .object({ items: z.array(SnapshotBody).max(SNAPSHOTS_OF_DEVELOPER_MAX) })
  .meta({ id: 'SnapshotList' });

export const snapshotBody = (view: SnapshotView): z.infer<typeof SnapshotBody> => ({
  snapshotId: view.snapshotId,
  name: view.name,
  sandboxId: view.sandboxId,
  status: view.status,
  bytes: view.status === 'ready' ? view.bytes : null,
  buildingId: view.buildingId,
  createdAt: view.createdAt,
  createdBy: view.createdBy,
  expiresAt: view.expiresAt,
  failureReason: view.failureReason,
});
