import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Database } from '../../engine/postgres/pool.ts';
import type { Projection } from '../../engine/projections/projection.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { snapshotCodec } from '../../domain/sandboxes/codecs.ts';
import type { SnapshotEvent } from '../../domain/sandboxes/snapshots/events.ts';
import {
  snapshotAfter,
  snapshotDueAt,
  type SnapshotView,
} from '../../domain/sandboxes/snapshots/view.ts';

/** A snapshot that is kept, with its next due time. */
export interface SnapshotListRow extends SnapshotView {
  readonly dueAt: Instant;
}

/** The kept snapshots: for the lists, for the space of the host, by due time. */
export const snapshotList: Projection<SnapshotEvent, SnapshotListRow> = {
  name: 'snapshot-list',
  version: 1,
  categories: ['snapshots'],
  codec: snapshotCodec,
  table: {
    name: 'snapshot',
    key: 'snapshotId',
    columns: {
      snapshotId: 'text collate "C" not null',
      organisation: 'text not null',
      developer: 'text not null',
      name: 'text not null',
      sandboxId: 'text not null',
      generation: 'integer not null',
      parameters: 'json not null',
      buildingId: 'uuid not null',
      status: 'text not null',
      bytes: 'bigint not null',
      createdAt: 'text not null',
      createdBy: 'json not null',
      expiresAt: 'text not null',
      failureReason: 'text',
      dueAt: 'timestamptz not null',
    },
    indexes: ['create index on $table (developer, created_at)', 'create index on $table (due_at)'],
  },
  keyOf: ({ event }) => event.snapshotId,
  rowAfter: (recorded, row) => {
    const { dueAt: _, ...before } = row ?? { dueAt: null };
    const view = snapshotAfter(recorded, row === null ? null : (before as SnapshotView));
    return view && { ...view, dueAt: snapshotDueAt(view) };
  },
};

/** Queries of the snapshots. None returns one that has expired by `at`. */
export interface SnapshotQueries {
  /** The developer's own, newest first. */
  of(developer: string, at: Instant): Promise<readonly SnapshotView[]>;
  /** The total bytes of all snapshots; estimated while they are created. */
  bytes(at: Instant): Promise<number>;
}

export const snapshotQueries = ({ pool }: Pick<Database, 'pool'>): SnapshotQueries => ({
  async of(developer, at) {
    const { rows } = await pool.query<SnapshotListRow>(
      `select ${members} from ${TABLE} where developer = $1 and expires_at > $2
       order by created_at desc, snapshot_id desc`,
      [developer, at],
    );
    return rows;
  },

  async bytes(at) {
    const { rows } = await pool.query<{ bytes: number }>(
      `select coalesce(sum(bytes), 0)::bigint as bytes from ${TABLE} where expires_at > $1`,
      [at],
    );
    return rows[0]!.bytes;
  },
});

const {
  members,
  tables: [TABLE],
} = statementsOf(snapshotList);
