import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { batcher, upTo } from '../concurrency/batcher.ts';
import { CHECKPOINTS_MOVED_AT_ONCE_MAX } from '../limits.ts';
import { errorLine } from '../postgres/errors.ts';
import type { Instant } from '../aggregates/decider.ts';
import type { Position } from '../log/event-store.ts';
import type { ConsumerId } from './consumer.ts';

/** The checkpoint has another position or epoch than its owner's: the work based on it is void. */
export class CheckpointMoved extends Error {
  constructor(consumer: ConsumerId) {
    super(`the checkpoint of ${consumer} is not what its owner has read`);
    this.name = 'CheckpointMoved';
  }
}

/** The state of a consumer in the database. */
export interface Checkpoint {
  readonly position: Position | null;
  /** Whether it has reached the log's head since its tables were created. */
  readonly caughtUp: boolean;
  readonly lastError: string | null;
  /** Lanes that are parked until an operator acts. */
  readonly parked: number;
  /** Lanes that are retried automatically. */
  readonly waiting: number;
  /** When the oldest of these was parked; `null`: there is none. */
  readonly waitingSince: Instant | null;
  /** The checkpoint exists, but some of its tables are missing. */
  readonly tablesMissing: boolean;
}

/** A parked lane (a stream, unless the consumer defines otherwise), and why. */
export interface ParkedRow {
  readonly consumer: ConsumerId;
  readonly lane: string;
  readonly stream: string;
  /** The first event that could not be handled. */
  readonly eventId: string;
  readonly revision: number;
  readonly position: Position;
  readonly reason: string;
  readonly parkedAt: Instant;
  /** Later events of the lane that were skipped. */
  readonly skipped: number;
  /** When it is retried automatically; `null`: when an operator requests it. */
  readonly retryAt: Instant | null;
}

const PARKED_COLUMNS = `consumer, lane, stream, event_id as "eventId", revision, position, reason,
  parked_at as "parkedAt", skipped, retry_at as "retryAt"`;

export type Checkpoints = ReturnType<typeof checkpoints>;

/** A pool, or one connection for statements that belong to one transaction. */
export type Queryable = Pick<Pool | PoolClient, 'query'>;

/** A move of a consumer's checkpoint. */
export interface MoveOptions {
  readonly from: Position | null;
  readonly to: Position | null;
  readonly at: Instant;
  /** Whether it has reached the log's head. Default: true. */
  readonly caughtUp?: boolean;
  /** A server crash may lose the move, so that events are delivered again. Default: false. */
  readonly relaxed?: boolean;
}

/** A checkpoint as it was claimed. */
export interface Claimed {
  readonly position: Position | null;
  /** Never repeated, not even by one owner. */
  readonly claim: string;
}

type Move = Required<MoveOptions> & { readonly consumer: ConsumerId; readonly epoch: number };

/** `false`: another transaction has locked the row, or it is not as expected. */
const sharedMoves = (db: Queryable) =>
  batcher<Move, boolean>({
    next: upTo(CHECKPOINTS_MOVED_AT_ONCE_MAX),
    async write(_, moves) {
      const has = await moveExpected(db, moves, 'pass');
      return moves.map(({ consumer }) => has.has(consumer));
    },
  });

export const checkpoints = (db: Queryable, together = sharedMoves(db)) => ({
  /** The checkpoints of `consumers`, in one query. A consumer that has never run is absent. */
  async of(consumers: readonly ConsumerId[]): Promise<ReadonlyMap<ConsumerId, Checkpoint>> {
    return (await watched(db, consumers)).checkpoints;
  },

  /** As `of`, with the consumers for which an operator's request waits. */
  watched: (consumers: readonly ConsumerId[]) => watched(db, consumers),

  /** All checkpoints, of every release. */
  async all(): Promise<readonly { consumer: ConsumerId; position: Position | null }[]> {
    const { rows } = await db.query<{ consumer: ConsumerId; position: Position | null }>(
      'select consumer, position from consumers.checkpoint order by consumer',
    );
    return rows;
  },

  /**
   * Writes `epoch` and a new `claim` to the checkpoint, created if missing. `null` if a later owner
   * has claimed it.
   */
  async claim(consumer: ConsumerId, epoch: number, at: Instant): Promise<Claimed | null> {
    const { rows } = await db.query<Claimed>(
      `insert into consumers.checkpoint as c (consumer, epoch, claim, updated_at)
       values ($1, $2, $3, $4)
       on conflict (consumer) do update
         set epoch = excluded.epoch, claim = excluded.claim, updated_at = excluded.updated_at
         where c.epoch <= excluded.epoch
       returning position, claim`,
      [consumer, epoch, randomUUID(), at],
    );
    return rows[0] ?? null;
  },

  /**
   * Moves the checkpoint of a consumer over events that changed no rows beside it. Consumers that
   * move at about the same time share a statement.
   *
   * @throws {@link CheckpointMoved} if it is not at `from`, or belongs to another owner.
   */
  async move(
    consumer: ConsumerId,
    epoch: number,
    { caughtUp = true, relaxed = false, ...rest }: MoveOptions,
  ): Promise<void> {
    const move = { consumer, epoch, caughtUp, relaxed, ...rest };
    // If the shared statement failed, a separate one shows whether another consumer was the cause.
    if (await together(relaxed ? 'relaxed' : 'durable', move).catch(() => false)) return;
    if (!(await moveExpected(db, [move], 'wait')).has(consumer))
      throw new CheckpointMoved(consumer);
  },

  /** Records for operators why a consumer is blocked. */
  async note(consumer: ConsumerId, error: unknown): Promise<void> {
    await db.query('update consumers.checkpoint set last_error = $2 where consumer = $1', [
      consumer,
      errorLine(error),
    ]);
  },

  /** Clears the recorded error: the consumer works again. */
  async clear(consumer: ConsumerId): Promise<void> {
    await db.query('update consumers.checkpoint set last_error = null where consumer = $1', [
      consumer,
    ]);
  },

  /**
   * Parked work, by consumer and lane.
   *
   * @param limit Default: all of it.
   */
  async parked(consumers: readonly ConsumerId[], limit?: number): Promise<readonly ParkedRow[]> {
    const { rows } = await db.query<ParkedRow>(
      `select ${PARKED_COLUMNS} from consumers.parked
       where consumer = any($1) order by consumer, lane limit $2`,
      [consumers, limit],
    );
    return rows;
  },

  /** A parked lane; `null`: it is not parked. */
  async parkedIn(consumer: ConsumerId, lane: string): Promise<ParkedRow | null> {
    const { rows } = await db.query<ParkedRow>(
      `select ${PARKED_COLUMNS} from consumers.parked where consumer = $1 and lane = $2`,
      [consumer, lane],
    );
    return rows[0] ?? null;
  },

  /** Parked lanes that match a pattern of `like`. */
  async parkedLike(consumer: ConsumerId, pattern: string): Promise<readonly ParkedRow[]> {
    const { rows } = await db.query<ParkedRow>(
      `select ${PARKED_COLUMNS} from consumers.parked where consumer = $1 and lane like $2`,
      [consumer, pattern],
    );
    return rows;
  },

  /** Ids of the events that operators have skipped. */
  async skipped(consumer: ConsumerId): Promise<ReadonlySet<string>> {
    const { rows } = await db.query<{ eventId: string }>(
      `select event_id as "eventId" from consumers.skipped where consumer = $1`,
      [consumer],
    );
    return new Set(rows.map(({ eventId }) => eventId));
  },

  /** Skips the event for this consumer from now on. */
  async skip(
    consumer: ConsumerId,
    event: Pick<ParkedRow, 'eventId' | 'stream' | 'revision'>,
    at: Instant,
  ): Promise<void> {
    await db.query(
      `insert into consumers.skipped (consumer, event_id, stream, revision, skipped_at)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [consumer, event.eventId, event.stream, event.revision, at],
    );
  },

  /** Removes all state of a consumer. */
  async forget(consumer: ConsumerId): Promise<void> {
    for (const table of ['checkpoint', 'parked', 'skipped', 'request'])
      await db.query(`delete from consumers.${table} where consumer = $1`, [consumer]);
  },
});

/**
 * Moves the checkpoints whose position and epoch are as expected.
 *
 * @param locked How to treat rows that another transaction has locked: a rebuild that swaps its
 *   tables must not block other consumers.
 */
const moveExpected = async (
  db: Queryable,
  moves: readonly Move[],
  locked: 'wait' | 'pass',
): Promise<ReadonlySet<ConsumerId>> => {
  const { rows } = await db.query<{ consumer: ConsumerId }>({
    name: `checkpoints move ${locked}`,
    text: `with move as (
             select c.consumer, m."to", m.at, m."caughtUp"
             from json_to_recordset($1::json) as m
               (consumer text, epoch bigint, "from" text, "to" text, at timestamptz,
                "caughtUp" boolean)
             join consumers.checkpoint as c on c.consumer = m.consumer and c.epoch = m.epoch
               and c.position is not distinct from m."from"
             order by c.consumer
             for update of c ${locked === 'pass' ? 'skip locked' : ''})
           update consumers.checkpoint as c
           set position = move."to", updated_at = move.at, last_error = null,
             caught_up = c.caught_up or move."caughtUp"
           from move where c.consumer = move.consumer
           returning c.consumer,
             case when $2::boolean then set_config('synchronous_commit', 'off', true) end`,
    values: [JSON.stringify(moves), moves.every(({ relaxed }) => relaxed)],
  });
  return new Set(rows.map(({ consumer }) => consumer));
};

const watched = async (db: Queryable, consumers: readonly ConsumerId[]) => {
  const { rows } = await db.query<
    Checkpoint & { consumer: ConsumerId; hasRun: boolean; isAsked: boolean }
  >({
    name: 'consumers checkpoints',
    text: `select consumer, c.epoch is not null as "hasRun", position, caught_up as "caughtUp",
             last_error as "lastError",
             (select count(*) from consumers.parked as p
              where p.consumer = c.consumer and retry_at is null) as parked,
             (select count(*) from consumers.parked as p
              where p.consumer = c.consumer and retry_at is not null) as waiting,
             (select min(parked_at) from consumers.parked as p
              where p.consumer = c.consumer and retry_at is not null) as "waitingSince",
             exists (select from unnest(tables) as t where to_regclass(t) is null)
               as "tablesMissing",
             exists (select from consumers.request as r
                     where r.consumer = one.consumer and r.state = 'waiting') as "isAsked"
           from unnest($1::text[]) as one (consumer) left join consumers.checkpoint as c
             using (consumer)`,
    values: [consumers],
  });
  const found = new Map<ConsumerId, Checkpoint>();
  const requested: ConsumerId[] = [];
  for (const { consumer, hasRun, isAsked, ...checkpoint } of rows) {
    if (hasRun) found.set(consumer, checkpoint);
    if (isAsked) requested.push(consumer);
  }
  return { checkpoints: found, requested };
};
