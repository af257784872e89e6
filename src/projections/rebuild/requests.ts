import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { openBooks } from '../../consumers/checkpoint-schema.ts';
import { isMissingTable, isTaken, lineOf } from '../../db/errors.ts';
import { PROJECTION_REQUESTS_KEPT } from '../../limits.ts';
import type { Progress } from './progress.ts';

/**
 * What an operator asks of a read model. A row, because whoever feeds the read model carries it
 * out, in whichever process that is; and there it is seen what became of it.
 */
export interface ProjectionRequest {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** `build` is nobody's request: the owner makes what is not there. */
  readonly kind: RequestKind;
  /** The parked stream, for `retry` and `skip`. */
  readonly stream: string | null;
  readonly acceptParked: boolean;
  readonly state: RequestState;
  readonly askedAt: string;
  readonly askedBy: string;
  readonly endedAt: string | null;
  readonly progress: Progress | null;
  readonly result: RequestResult | null;
  readonly error: string | null;
}

export type RequestKind = 'build' | 'rebuild' | 'verify' | 'retry' | 'skip';
/** `refused`: it could have been done, and was not, for the reason in `error`. */
export type RequestState = 'waiting' | 'running' | 'done' | 'refused' | 'failed' | 'cancelled';
export type RequestResult = Readonly<Record<string, unknown>>;

export interface Ask {
  readonly name: string;
  readonly version: number;
  readonly kind: RequestKind;
  readonly stream?: string;
  readonly acceptParked?: boolean;
  readonly by: string;
  readonly at: string;
}

export interface Outcome {
  readonly state: Exclude<RequestState, 'waiting' | 'running'>;
  readonly result?: RequestResult;
  readonly error?: string;
}

/** A rebuild or a verification of it is asked for or under way already. */
export class RequestTaken extends Error {
  constructor(name: string) {
    super(`${name} is being rebuilt or verified already`);
    this.name = 'RequestTaken';
  }
}

const COLUMNS = `id, name, version, kind, stream, accept_parked as "acceptParked", state,
  asked_at as "askedAt", asked_by as "askedBy", ended_at as "endedAt", progress, result, error`;

export const requests = (db: Pick<ClientBase, 'query'>) => ({
  /** @throws {@link RequestTaken} for a second rebuild or verification of one read model. */
  async ask({
    name,
    version,
    kind,
    stream,
    acceptParked,
    by,
    at,
  }: Ask): Promise<ProjectionRequest> {
    await openBooks(db);
    try {
      const { rows } = await db.query<ProjectionRequest>(
        `insert into projections.request
           (id, name, version, kind, stream, accept_parked, state, asked_at, asked_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`,
        [
          randomUUID(),
          name,
          version,
          kind,
          stream ?? null,
          acceptParked ?? false,
          kind === 'build' ? 'running' : 'waiting',
          at,
          by,
        ],
      );
      return rows[0]!;
    } catch (error) {
      if (isTaken(error)) throw new RequestTaken(name);
      throw error;
    }
  },

  /** The oldest waiting request of each name and version. */
  async waiting(names: readonly string[], versions: readonly number[]) {
    const { rows } = await db.query<ProjectionRequest>(
      `select distinct on (name, version) ${COLUMNS} from projections.request
       join unnest($1::text[], $2::int[]) as mine (name, version) using (name, version)
       where state = 'waiting' order by name, version, asked_at`,
      [names, versions],
    );
    return rows;
  },

  /** Takes a waiting request up; `false` if it is not waiting any more. */
  async begin(id: string): Promise<boolean> {
    const { rowCount } = await db.query(
      `update projections.request set state = 'running' where id = $1 and state = 'waiting'`,
      [id],
    );
    return rowCount === 1;
  },

  /** Writes down how far it is. Returns whether it has been cancelled. */
  async tell(id: string, progress: Progress | null): Promise<boolean> {
    const { rows } = await db.query<{ cancelled: boolean }>(
      'update projections.request set progress = $2 where id = $1 returning cancelled',
      [id, JSON.stringify(progress)],
    );
    return rows[0]?.cancelled ?? true;
  },

  async end({ id, name, version }: ProjectionRequest, outcome: Outcome, at: string) {
    await db.query(
      `update projections.request
       set state = $2, result = $3, error = $4, ended_at = $5, progress = null where id = $1`,
      [
        id,
        outcome.state,
        outcome.result === undefined ? null : JSON.stringify(outcome.result),
        outcome.error ?? null,
        at,
      ],
    );
    await db.query(
      `delete from projections.request where id in (
         select id from projections.request
         where name = $1 and version = $2 and ended_at is not null
         order by ended_at desc offset $3)`,
      [name, version, PROJECTION_REQUESTS_KEPT],
    );
  },

  /** Cancels the rebuild or verification that waits or runs. Returns it, or `null`. */
  async cancel(name: string, version: number, at: string): Promise<ProjectionRequest | null> {
    await openBooks(db);
    const { rows } = await db.query<ProjectionRequest>(
      `update projections.request
       set cancelled = true,
           ended_at = case when state = 'waiting' then $3::timestamptz end,
           state = case when state = 'waiting' then 'cancelled' else state end
       where name = $1 and version = $2 and kind in ('rebuild', 'verify')
         and state in ('waiting', 'running') returning ${COLUMNS}`,
      [name, version, at],
    );
    return rows[0] ?? null;
  },

  /** What an owner had under way that is owner no more. It is not taken up again by itself. */
  async abandon(name: string, version: number, at: string): Promise<void> {
    await db.query(
      `update projections.request
       set state = 'failed', ended_at = $3, progress = null,
           error = 'the process that carried it out was ended'
       where name = $1 and version = $2 and state = 'running'`,
      [name, version, at],
    );
  },

  async find(id: string): Promise<ProjectionRequest | null> {
    const { rows } = await db.query<ProjectionRequest>(
      `select ${COLUMNS} from projections.request where id = $1`,
      [id],
    );
    return rows[0] ?? null;
  },

  /** The newest first. */
  async list(names: readonly string[], versions: readonly number[]) {
    try {
      const { rows } = await db.query<ProjectionRequest>(
        `select ${COLUMNS} from projections.request
         join unnest($1::text[], $2::int[]) as mine (name, version) using (name, version)
         order by asked_at desc, id`,
        [names, versions],
      );
      return rows;
    } catch (error) {
      if (isMissingTable(error)) return [];
      throw error;
    }
  },
});

export type Requests = ReturnType<typeof requests>;

export const failed = (error: unknown): Outcome => ({ state: 'failed', error: lineOf(error) });
