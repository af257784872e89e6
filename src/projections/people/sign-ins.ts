/**
 * The people who have signed in, in rows beside the log: a name is personal data, which can be
 * deleted from a row but not from the log. contract.md section 5.
 */
import type { Pool } from 'pg';
import { searchedText } from '../../domain/people/people.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import { batcher, upTo } from '../../engine/concurrency/batcher.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import type { Clock } from '../../engine/time/clock.ts';
import {
  SIGN_IN_KEPT_DAYS,
  SIGN_INS_REMEMBERED_MAX,
  SIGN_INS_SEARCHED_MAX,
  SIGN_INS_WAITING_MAX,
} from './limits.ts';

/** The part of an authenticated caller that is recorded. */
export interface SignedIn {
  readonly actor: Actor;
  readonly organisation: string | null;
  readonly person: boolean;
}

export interface SignIns {
  /**
   * Records a person of an organisation, at most once a day; other callers are ignored. Returns at
   * once: the row is written in the background, and a failed write is retried with the person's
   * next request.
   */
  note(caller: SignedIn): void;
  /** Resolves when all pending rows are written, or have failed. */
  written(): Promise<void>;
  /**
   * People in whose name or id all words occur, among the newest {@link SIGN_INS_SEARCHED_MAX}.
   *
   * @param words As `searchWords` folds them; `[]` finds all.
   * @returns Names by user id; `null` where the issuer gave none.
   */
  search(
    organisation: string,
    words: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, string | null>>;
  /** The `userIds` who have signed in, with their names. */
  among(
    organisation: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>>;
}

interface Row {
  readonly organisation: string;
  readonly userId: string;
  readonly name: string | null;
}

export interface SignInParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export const signIns = ({ pool, clock, logger }: SignInParts): SignIns => {
  /** The day of each person's last sign-in that this process recorded. */
  const noted = lruCache<string>(SIGN_INS_REMEMBERED_MAX);
  const waiting = new Set<Promise<void>>();

  const write = batcher<Row & { readonly day: string }, void>({
    write: async (_, rows) => {
      // Sorted, because two processes could deadlock otherwise.
      const sorted = [...new Map(rows.map((row) => [keyOf(row), row]))]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, row]) => row);
      const column = <Value>(of: (row: (typeof sorted)[number]) => Value) => sorted.map(of);
      await pool.query({
        name: 'sign-ins write',
        text: WRITE,
        values: [
          column(({ organisation }) => organisation),
          column(({ userId }) => userId),
          column(({ name }) => name),
          column(({ userId, name }) => searchedText(userId, name)),
          column(({ day }) => day),
          dayBefore(clock.now(), SIGN_IN_KEPT_DAYS),
        ],
      });
      return rows.map(() => undefined);
    },
    next: upTo(SIGN_INS_WAITING_MAX),
  });

  const namesOf = (rows: readonly { readonly userId: string; readonly name: string | null }[]) =>
    new Map(rows.map(({ userId, name }) => [userId, name]));

  return {
    note({ actor, organisation, person }) {
      if (!person || organisation === null || waiting.size >= SIGN_INS_WAITING_MAX) return;
      const row = { organisation, userId: actor.id, name: actor.name ?? null };
      const day = dayOf(clock.now());
      const key = keyOf(row);
      if (noted.get(key) === day) return;
      noted.set(key, day);
      const writing = write('', { ...row, day })
        .catch((error: unknown) => {
          noted.delete(key);
          logger.warn({ err: error }, 'a sign-in was not recorded');
        })
        .finally(() => waiting.delete(writing));
      waiting.add(writing);
    },

    async written() {
      await Promise.all(waiting);
    },

    async search(organisation, words, limit) {
      const { rows } = await pool.query<Row>({
        name: 'sign-ins search',
        text: SEARCH,
        values: [organisation, words.map(containing), SIGN_INS_SEARCHED_MAX, limit],
      });
      return namesOf(rows);
    },

    async among(organisation, userIds) {
      if (userIds.length === 0) return new Map();
      const { rows } = await pool.query<Row>({
        name: 'sign-ins among',
        text: `select user_id as "userId", name from people.sign_ins
               where organisation = $1 and user_id = any($2::text[])`,
        values: [organisation, userIds],
      });
      return namesOf(rows);
    },
  };
};

/** Leaves a row of the same day, written by another process, or of a later day unchanged. */
const WRITE = `
  with forgotten as (
    delete from people.sign_ins
    where organisation = any($1::text[]) and user_id <> all($2::text[]) and seen_on < $6
  )
  insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  on conflict (organisation, user_id) do update
    set name = excluded.name, folded = excluded.folded, seen_on = excluded.seen_on
    where sign_ins.seen_on < excluded.seen_on`;

const SEARCH = `
  select user_id as "userId", name
  from (
    select user_id, name, folded from people.sign_ins
    where organisation = $1 order by seen_on desc limit $3
  ) as newest
  where folded like all($2::text[])
  order by folded limit $4`;

/** A pattern of `like` that finds the word literally. */
const containing = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;

const dayOf = (at: Instant): string => at.slice(0, 10);

const dayBefore = (now: Instant, days: number): string =>
  dayOf(new Date(Date.parse(now) - days * DAY_MS).toISOString());

/** An alias has no blank. */
const keyOf = ({ organisation, userId }: Pick<Row, 'organisation' | 'userId'>): string =>
  `${organisation} ${userId}`;
