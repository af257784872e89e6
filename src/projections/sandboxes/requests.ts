/**
 * The request log of the sandboxes' hosts, in rows that every process shares. It is for debugging
 * and is no audit: rows may be dropped. contract.md section 4.
 */
import type { Pool } from 'pg';
import { lockName } from '../../engine/postgres/advisory-lock.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { pause } from '../../engine/concurrency/backoff.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import {
  SANDBOX_REQUESTS_KEPT_MAX,
  SANDBOX_REQUESTS_KEPT_MS,
  SANDBOX_REQUESTS_LOOK_MS,
} from './limits.ts';

/** An answered request, without path, query, headers and bodies. */
export interface SandboxRequest {
  readonly at: Instant;
  readonly method: string;
  /** The template; `unknown` for a request that matched no route. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The accepted key; `null` for any other credential and for a refused one. */
  readonly keyId: string | null;
  readonly requestId: string;
}

export interface LoggedRequest extends SandboxRequest {
  readonly sandboxId: string;
}

export interface RequestPage {
  readonly items: readonly SandboxRequest[];
  /** The cursor for `after`. */
  readonly next: number;
}

export interface RequestsQuery {
  readonly sandboxId: string;
  /** Only rows after this one. */
  readonly after: number;
  readonly limit: number;
  readonly at: Instant;
}

export interface SandboxRequestRows {
  /** Writes them in one transaction, in this order. */
  write(requests: readonly LoggedRequest[]): Promise<void>;
  /** Requests of the last day, oldest first. */
  page(query: RequestsQuery): Promise<RequestPage>;
  /** As `page`; an empty page is held until a request arrives, or `signal` aborts. */
  await(query: RequestsQuery, waitMs: number, signal: AbortSignal): Promise<RequestPage>;
  /** The cursor after the sandbox's last row. */
  end(sandboxId: string): Promise<number>;
  /** Deletes rows older than a day, and all but the newest rows of these sandboxes. */
  trim(sandboxIds: readonly string[], at: Instant): Promise<void>;
  /** Deletes the rows of a sandbox that has ended. */
  forget(sandboxId: string): Promise<void>;
}

export const sandboxRequestRows = ({ pool }: { readonly pool: Pool }): SandboxRequestRows => {
  const page = async ({ sandboxId, after, limit, at }: RequestsQuery): Promise<RequestPage> => {
    const { rows } = await pool.query<SandboxRequest & { readonly id: number }>({
      name: 'sandbox requests',
      text: `select id, at, method, route, status, ms, key_id as "keyId",
               request_id as "requestId"
             from hosting.request where sandbox_id = $1 and id > $2 and at > $3
             order by id limit $4`,
      values: [sandboxId, after, since(at), limit],
    });
    const items = rows.map((row) => {
      const { id: _, ...request } = row;
      return request;
    });
    const last = rows.at(-1)?.id;
    return { items, next: last ?? after };
  };

  return {
    page,

    async write(requests) {
      await transaction(pool, async (client) => {
        // Ids are committed in their order, whichever process writes: no reader skips one.
        await lockName(client, LOCK);
        await client.query(
          `insert into hosting.request
             (sandbox_id, at, method, route, status, ms, key_id, request_id)
           select sandbox_id, at, method, route, status, ms, key_id, request_id
           from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int[],
             $6::float8[], $7::text[], $8::text[]) with ordinality
             as r (sandbox_id, at, method, route, status, ms, key_id, request_id, n)
           order by n`,
          [
            requests.map(({ sandboxId }) => sandboxId),
            requests.map(({ at }) => at),
            requests.map(({ method }) => method),
            requests.map(({ route }) => route),
            requests.map(({ status }) => status),
            requests.map(({ ms }) => ms),
            requests.map(({ keyId }) => keyId),
            requests.map(({ requestId }) => requestId),
          ],
        );
      });
    },

    async await(query, waitMs, signal) {
      const deadline = performance.now() + waitMs;
      for (;;) {
        const found = await page(query);
        const leftMs = deadline - performance.now();
        if (found.items.length > 0 || leftMs <= 0 || signal.aborted) return found;
        await pause(Math.min(SANDBOX_REQUESTS_LOOK_MS, leftMs), signal);
      }
    },

    async end(sandboxId) {
      const { rows } = await pool.query<{ readonly last: number }>(
        'select coalesce(max(id), 0) as last from hosting.request where sandbox_id = $1',
        [sandboxId],
      );
      return rows[0]!.last;
    },

    async trim(sandboxIds, at) {
      await pool.query('delete from hosting.request where at <= $1', [since(at)]);
      await pool.query(
        `delete from hosting.request r
         using unnest($1::text[]) as s (id), lateral (
           select q.id from hosting.request q where q.sandbox_id = s.id
           order by q.id desc offset $2 limit 1
         ) as last
         where r.sandbox_id = s.id and r.id <= last.id`,
        [sandboxIds, SANDBOX_REQUESTS_KEPT_MAX],
      );
    },

    async forget(sandboxId) {
      await pool.query('delete from hosting.request where sandbox_id = $1', [sandboxId]);
    },
  };
};

const LOCK = 'atrium/hosting.request';

const since = (at: Instant): Instant =>
  new Date(Date.parse(at) - SANDBOX_REQUESTS_KEPT_MS).toISOString();
