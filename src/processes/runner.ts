import type { Pool } from 'pg';
import { openBooks } from '../consumers/checkpoint-schema.ts';
import { lineOf } from '../db/errors.ts';
import type { Lease } from '../consumers/leases.ts';
import { PROCESS_CHECKPOINT_COPY_MS, PROJECTION_BATCH_EVENTS_MAX } from '../limits.ts';
import { backoff, pause } from '../ops/backoff.ts';
import { follow } from '../consumers/follow.ts';
import { WrongRevision, type EventStore, type Position } from '../store/event-store.ts';
import { handling, type HandlingParts, type ParkedAt } from './process-executor.ts';
import { placeOf } from './process-position.ts';

export interface ProcessRunnerParts extends HandlingParts {
  readonly log: EventStore;
  readonly pool: Pool;
  /** Default {@link PROCESS_CHECKPOINT_COPY_MS}. */
  readonly copyMs?: number;
  /** Hears how far it has reacted; `null` when that is no longer known here. */
  readonly onReached: (reached: { readonly position: Position | null } | null) => void;
}

export interface ProcessRunner {
  readonly name: string;
  /** Reacts under `lease`, through failures of log and database, until it is over. */
  run(lease: Lease): Promise<void>;
}

/** The checkpoint was not where, or not whose, this runner has it. */
class CheckpointMoved extends Error {
  constructor(name: string) {
    super(`the checkpoint of process ${name} is not what its owner has read`);
    this.name = 'CheckpointMoved';
  }
}

/**
 * Runs one process: the commands of a batch, then its checkpoint. A crash in between repeats the
 * batch, under the same command ids.
 */
export const processRunner = (parts: ProcessRunnerParts): ProcessRunner => {
  const { process, log, pool, clock, logger, onReached } = parts;
  const { copyMs = PROCESS_CHECKPOINT_COPY_MS } = parts;
  const { name, categories } = process;
  const handled = handling(parts);
  const place = placeOf(name, log, clock);

  /** One run from the checkpoint on; `false` if a later owner has been here. */
  const react = async (epoch: number, signal: AbortSignal, worked: () => void) => {
    const claimed = await claim(epoch);
    if (!claimed) return false;
    const { parked } = claimed;
    let saved = claimed.position;
    let position = saved ?? (await place.find());
    let copied = true;

    const move = async (to: Position, events: number, aside: ReadonlyMap<string, ParkedAt>) => {
      const rows = [...aside].map(([stream, at]) => parkedRow(stream, at));
      const { rowCount } = await pool.query({
        name: 'process move',
        text: MOVE,
        values: [name, epoch, saved, to, events, clock.now(), JSON.stringify(rows)],
      });
      if (rowCount !== 1) throw new CheckpointMoved(name);
      for (const stream of aside.keys()) parked.add(stream);
      saved = to;
      position = to;
      onReached({ position });
      worked();
    };
    // From here on the database knows the place too.
    if (saved === null) await move(position, 0, new Map());
    onReached({ position });

    const failed = new AbortController();
    const during = AbortSignal.any([signal, failed.signal]);
    /** Now and then, and only where something was done: a copy is an event too. */
    const copies = async () => {
      for (;;) {
        await pause(copyMs, during);
        if (during.aborted) return;
        if (copied || saved === null) continue;
        try {
          copied = true;
          await place.copy(saved);
        } catch (error) {
          copied = false;
          if (error instanceof WrongRevision) throw error;
          logger.warn({ err: error, process: name }, 'the checkpoint was not copied to the log');
        }
      }
    };
    const following = follow(
      log,
      position,
      { categories, signal: during, batchEventsMax: PROJECTION_BATCH_EVENTS_MAX },
      {
        async apply({ events, upTo }) {
          const aside = await handled(events, parked, during);
          await move(upTo, events.length, aside);
          copied = false;
        },
        passed({ upTo }) {
          position = upTo;
          onReached({ position });
          return false;
        },
        save: () => move(position, 0, new Map()),
      },
    );
    const ended = await Promise.allSettled(
      [following, copies()].map((part) => part.finally(() => failed.abort())),
    );
    for (const part of ended) if (part.status === 'rejected') throw part.reason;
    return true;
  };

  /** Puts `epoch` on the checkpoint. `null` if a later owner has been here. */
  const claim = async (epoch: number) => {
    await openBooks(pool);
    const { rows } = await pool.query<{ position: Position | null }>(
      `insert into process.checkpoint as c (name, epoch, updated_at) values ($1, $2, $3)
       on conflict (name) do update set epoch = excluded.epoch, updated_at = excluded.updated_at
         where c.epoch <= excluded.epoch
       returning position`,
      [name, epoch, clock.now()],
    );
    if (!rows[0]) return null;
    const parked = await pool.query<{ stream: string }>(
      'select stream from process.parked where name = $1',
      [name],
    );
    return {
      position: rows[0].position,
      parked: new Set(parked.rows.map(({ stream }) => stream)),
    };
  };

  const note = async (error: unknown) => {
    try {
      await pool.query('update process.checkpoint set last_error = $2 where name = $1', [
        name,
        lineOf(error),
      ]);
    } catch (cause) {
      // The failure itself is in the server's log; this is only for the operator's list.
      logger.debug({ err: cause, process: name }, 'the failure was not noted');
    }
  };

  return {
    name,

    async run({ epoch, signal }) {
      const delays = backoff();
      while (!signal.aborted) {
        try {
          if (!(await react(epoch, signal, () => delays.reset()))) {
            logger.warn({ process: name, epoch }, 'a later owner runs this');
            return;
          }
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof CheckpointMoved)) await note(error);
          logger.warn({ err: error, process: name }, 'a process failed; trying again');
        } finally {
          onReached(null);
        }
        await delays.pause(signal);
      }
    },
  };
};

/** The checkpoint, by compare-and-set, and what was set aside on the way. */
const MOVE = `
  with moved as (
    update process.checkpoint
    set position = $4, handled = handled + $5, updated_at = $6, last_error = null
    where name = $1 and epoch = $2 and position is not distinct from $3
    returning position
  ), aside as (
    insert into process.parked as p
    select $1, stream, event_id, revision, position, error, $6, skipped
    from json_to_recordset($7) as r (stream text, event_id uuid, revision bigint,
      position text, error text, skipped bigint)
    where exists (select from moved)
    on conflict (name, stream) do update set skipped = p.skipped + excluded.skipped
  )
  select position from moved`;

/** For a stream whose line is there already, only the count matters. */
const parkedRow = (stream: string, { event, error, skipped }: ParkedAt) => ({
  stream,
  event_id: event?.id ?? '00000000-0000-0000-0000-000000000000',
  revision: event?.revision ?? 0,
  position: event?.position ?? '',
  error: lineOf(error),
  skipped,
});
