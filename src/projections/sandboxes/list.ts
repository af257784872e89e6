import type { Instant } from '../../engine/aggregates/decider.ts';
import type { SandboxEvent } from '../../domain/sandboxes/events.ts';
import { nextDueAt } from '../../domain/sandboxes/sandbox.ts';
import { sandboxAfter, type SandboxView } from '../../domain/sandboxes/view.ts';
import { sandboxCodec } from '../../domain/sandboxes/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

/** A sandbox that has not ended, with its next due time. */
export interface SandboxListRow extends SandboxView {
  readonly dueAt: Instant | null;
}

/** The existing sandboxes: for the lists, by address for the hosting, by due time. */
export const sandboxList: Projection<SandboxEvent, SandboxListRow> = {
  name: 'sandbox-list',
  version: 4,
  categories: ['sandbox'],
  codec: sandboxCodec,
  table: {
    name: 'sandbox',
    key: 'sandboxId',
    columns: {
      sandboxId: 'text collate "C" not null',
      organisation: 'text not null',
      developer: 'text not null',
      placeId: 'uuid not null',
      name: 'text not null',
      slug: 'text not null',
      status: 'text not null',
      generation: 'integer not null',
      replacesDatabase: 'boolean not null',
      parameters: 'json not null',
      progress: 'json not null',
      createdAt: 'text not null',
      createdBy: 'json not null',
      requestedAt: 'text not null',
      begunAt: 'text',
      branch: 'json',
      estimatedBytes: 'bigint not null',
      expiresAt: 'text not null',
      expiresSoon: 'boolean not null',
      extensionsRemaining: 'integer not null',
      buildingId: 'uuid',
      failureReason: 'text',
      ended: 'text',
      dueAt: 'timestamptz',
    },
    indexes: [
      'create index on $table (developer, created_at)',
      'create index on $table (slug)',
      'create index on $table (due_at) where due_at is not null',
    ],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row) => {
    const { dueAt: _, ...before } = row ?? { dueAt: null };
    const view = sandboxAfter(recorded, row === null ? null : (before as SandboxView));
    return view.ended === null ? { ...view, dueAt: nextDueAt(view) } : null;
  },
};
