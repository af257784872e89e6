import { randomUUID } from 'node:crypto';
import { errorLine, isUniqueViolation } from '../postgres/errors.ts';
import { REQUESTS_KEPT } from '../limits.ts';
import type { Queryable } from './checkpoints.ts';
import { projectionVersionOf, type ConsumerId } from './consumer.ts';
import type { Progress } from './progress.ts';

/**
 * An operator's request to a consumer. It is a row, because the consumer's owner executes it in
 * whichever process it runs; the row also shows the result.
 */
export interface ConsumerRequest {
  readonly id: string;
  readonly consumer: ConsumerId;
  /** `build` has no operator: the owner creates a missing read model. */
  readonly kind: RequestKind;
  /** The parked lane, for `retry` and `skip`. */
  readonly lane: string | null;
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
/** `refused`: it was possible, but not done, for the reason in `error`. */
export type RequestState = 'waiting' | 'running' | 'done' | 'refused' | 'failed' | 'cancelled';
export type RequestResult = Readonly<Record<string, unknown>>;

export interface NewRequest {
  readonly consumer: ConsumerId;
  readonly kind: RequestKind;
  readonly lane?: string;
  /** A rebuild replaces the live model even if it parks more. Default false. */
  readonly acceptParked?: boolean;
  readonly by: string;
  readonly at: string;
}

export interface Outcome {
  readonly state: Exclude<RequestState, 'waiting' | 'running'>;
  readonly result?: RequestResult;
  readonly error?: string;
}

/** A rebuild or verification of it is already requested or running. */
export class RequestConflict extends Error {
  constructor(name: string) {
    super(`${name} is being rebuilt or verified already`);
    this.name = 'RequestConflict';
  }
}

const COLUMNS = `id, consumer, kind, lane, accept_parked as "acceptParked", state,
  asked_at as "askedAt", asked_by as "askedBy", ended_at as "endedAt", progress, result, error`;

export type Requests = ReturnType<typeof requests>;

export const requests = (db: Queryable) => ({
  /** @throws {@link RequestConflict} for a second rebuild or verification of one read model. */
  async ask(request: NewRequest): Promise<ConsumerRequest> {
    const { consumer, kind, lane = null, acceptParked = false, by, at } = request;
    const state = kind === 'build' ? 'running' : 'waiting';
    try {
      const { rows } = await db.query<ConsumerRequest>(
        `insert into consumers.request
           (id, consumer, kind, lane, accept_parked, state, asked_at, asked_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
        [randomUUID(), consumer, kind, lane, acceptParked, state, at, by],
      );
      return rows[0]!;
    } catch (error) {
      if (isUniqueViolation(error))
        throw new RequestConflict(projectionVersionOf(consumer)?.name ?? consumer);
      throw error;
    }
  },

  /** The oldest waiting request of each of `consumers`. */
  async waiting(consumers: readonly ConsumerId[]): Promise<readonly ConsumerRequest[]> {
    const { rows } = await db.query<ConsumerRequest>({
      name: 'consumers requests',
      text: `select distinct on (consumer) ${COLUMNS} from consumers.request
             where state = 'waiting' and consumer = any($1) order by consumer, asked_at`,
      values: [consumers],
    });
    return rows;
  },

  /** Begins a waiting request; `false` if it is no longer waiting. */
  async begin(id: string): Promise<boolean> {
    const { rowCount } = await db.query(
      `update consumers.request set state = 'running' where id = $1 and state = 'waiting'`,
      [id],
    );
    return rowCount === 1;
  },

  /** Records the progress. Returns whether the request was cancelled. */
  async saveProgress(id: string, progress: Progress | null): Promise<boolean> {
    const { rows } = await db.query<{ cancelled: boolean }>(
      'update consumers.request set progress = $2 where id = $1 returning cancelled',
      [id, JSON.stringify(progress)],
    );
    return rows[0]?.cancelled ?? true;
  },

  /** Records the outcome; an ended request keeps its own. */
  async end({ id, consumer }: ConsumerRequest, outcome: Outcome, at: string): Promise<void> {
    const result = outcome.result === undefined ? null : JSON.stringify(outcome.result);
    await db.query(
      `update consumers.request
       set state = $2, result = $3, error = $4, ended_at = $5, progress = null
       where id = $1 and ended_at is null`,
      [id, outcome.state, result, outcome.error ?? null, at],
    );
    await db.query(
      `delete from consumers.request where id in (
         select id from consumers.request where consumer = $1 and ended_at is not null
         order by ended_at desc offset $2)`,
      [consumer, REQUESTS_KEPT],
    );
  },

  /** Cancels the rebuild or verification that waits or runs. Returns it, or `null`. */
  async cancel(consumer: ConsumerId, at: string): Promise<ConsumerRequest | null> {
    const { rows } = await db.query<ConsumerRequest>(
      `update consumers.request
       set cancelled = true,
           ended_at = case when state = 'waiting' then $2::timestamptz end,
           state = case when state = 'waiting' then 'cancelled' else state end
       where consumer = $1 and kind in ('rebuild', 'verify') and state in ('waiting', 'running')
       returning ${COLUMNS}`,
      [consumer, at],
    );
    return rows[0] ?? null;
  },

  /** Requests that a former owner had begun. They are not resumed. */
  async abandon(consumer: ConsumerId, at: string): Promise<void> {
    await db.query(
      `update consumers.request
       set state = 'failed', ended_at = $2, progress = null,
           error = 'the process that carried it out was ended'
             || case when kind = 'build' then '' else ': ask again' end
       where consumer = $1 and state = 'running'`,
      [consumer, at],
    );
  },

  async find(id: string): Promise<ConsumerRequest | null> {
    const { rows } = await db.query<ConsumerRequest>(
      `select ${COLUMNS} from consumers.request where id = $1`,
      [id],
    );
    return rows[0] ?? null;
  },

  /** The newest first. */
  async list(consumers: readonly ConsumerId[]): Promise<readonly ConsumerRequest[]> {
    const { rows } = await db.query<ConsumerRequest>(
      `select ${COLUMNS} from consumers.request
       where consumer = any($1) order by asked_at desc, id`,
      [consumers],
    );
    return rows;
  },
});

export const failed = (error: unknown): Outcome => ({ state: 'failed', error: errorLine(error) });
