import type { Database } from '../../engine/postgres/pool.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { QueuedSandbox } from '../../domain/sandboxes/queue.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { sandboxList, type SandboxListRow } from './list.ts';

/** Queries of the sandboxes. None returns a sandbox that has ended by `at`. */
export interface SandboxQueries {
  /** The developer's own, newest first. */
  of(developer: string, at: Instant): Promise<readonly SandboxView[]>;
  /** All ready ones. */
  ready(at: Instant): Promise<readonly SandboxView[]>;
  /** All sandboxes with a database or queued. `SANDBOX_HOST_BYTES_MAX` bounds their number. */
  standing(at: Instant): Promise<readonly QueuedSandbox[]>;
  /** The sandbox at this address; `null` if there is none. */
  at(slug: string, at: Instant): Promise<SandboxView | null>;
  /** The number of sandboxes by status. */
  count(at: Instant): Promise<ReadonlyMap<string, number>>;
}

export const sandboxQueries = ({ pool }: Pick<Database, 'pool'>): SandboxQueries => ({
  async of(developer, at) {
    const { rows } = await pool.query<SandboxListRow>(
      `select ${members} from ${TABLE} where developer = $1 and expires_at > $2
       order by created_at desc, sandbox_id desc`,
      [developer, at],
    );
    return rows;
  },

  async ready(at) {
    const { rows } = await pool.query<SandboxListRow>(
      `select ${members} from ${TABLE} where status = 'ready' and expires_at > $1
       order by created_at, sandbox_id`,
      [at],
    );
    return rows;
  },

  async standing(at) {
    const { rows } = await pool.query<QueuedSandbox>({
      name: 'sandbox standing',
      text: `select sandbox_id as "sandboxId", organisation, developer, generation, status,
               replaces_database as "replacesDatabase", requested_at as "requestedAt",
               begun_at as "begunAt", estimated_bytes as "estimatedBytes"
             from ${TABLE} where status <> 'failed' and expires_at > $1`,
      values: [at],
    });
    return rows;
  },

  async at(slug, at) {
    const { rows } = await pool.query<SandboxListRow>({
      name: 'sandbox at',
      text: `select ${members} from ${TABLE} where slug = $1 and expires_at > $2
             order by created_at limit 1`,
      values: [slug, at],
    });
    return rows[0] ?? null;
  },

  async count(at) {
    const { rows } = await pool.query<{ status: string; count: number }>({
      name: 'sandbox count',
      text: `select status, count(*)::int as count from ${TABLE} where expires_at > $1
             group by status`,
      values: [at],
    });
    return new Map(rows.map(({ status, count }) => [status, count]));
  },
});

const {
  members,
  tables: [TABLE],
} = statementsOf(sandboxList);
