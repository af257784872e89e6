/** The read model: a row for each greeting, whose due time is its timer. */
import type { Instant } from '../../../src/engine/aggregates/decider.ts';
import { keyOf } from '../../../src/engine/log/streams.ts';
import type { Database } from '../../../src/engine/postgres/pool.ts';
import { statementsOf } from '../../../src/engine/projections/apply/table-sql.ts';
import type { Projection } from '../../../src/engine/projections/projection.ts';
import { greetingCodec, type GreetingEvent } from './greeting.ts';

export interface ListedGreeting {
  readonly greetingId: string;
  readonly organisation: string;
  readonly words: string;
  /** `null` once it has been due. */
  readonly dueAt: Instant | null;
}

export const greetingList: Projection<GreetingEvent, ListedGreeting> = {
  name: 'greeting-list',
  version: 1,
  categories: ['greeting'],
  codec: greetingCodec,
  table: {
    name: 'greeting',
    key: 'greetingId',
    columns: {
      greetingId: 'uuid not null',
      organisation: 'text not null',
      words: 'text not null',
      dueAt: 'timestamptz',
    },
    indexes: ['create index on $table (due_at)'],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ stream, organisation = '', event }) => ({
    greetingId: keyOf(stream),
    organisation,
    words: event.words,
    dueAt: event.type === 'GreetingPlanned' ? event.dueAt : null,
  }),
};

const {
  members,
  tables: [TABLE],
} = statementsOf(greetingList);

export const greetingsOf = async (
  { pool }: Pick<Database, 'pool'>,
  organisation: string,
): Promise<readonly ListedGreeting[]> => {
  const sql = `select ${members} from ${TABLE} where organisation = $1 order by words`;
  return (await pool.query<ListedGreeting>(sql, [organisation])).rows;
};
