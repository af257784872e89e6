/** The table of revoked keys, which outlives a restore of the log. contract.md section 3. */
import type { Pool } from 'pg';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';

export interface EndedKey {
  readonly keyId: string;
  readonly organisation: string;
  readonly at: Instant;
  readonly by: Actor;
}

export interface EndedKeys {
  /** Idempotent. @throws As the database does. */
  add(key: EndedKey): Promise<void>;
  all(): Promise<readonly EndedKey[]>;
}

export const endedKeys = (pool: Pick<Pool, 'query'>): EndedKeys => ({
  async add({ keyId, organisation, at, by }) {
    await pool.query({
      name: 'ended key add',
      text: `insert into keys.ended (key_id, organisation, ended_at, ended_by)
             values ($1, $2, $3, $4) on conflict (key_id) do nothing`,
      values: [keyId, organisation, at, JSON.stringify(by)],
    });
  },

  async all() {
    const { rows } = await pool.query<EndedKey>(
      `select key_id as "keyId", organisation, ended_at as at, ended_by as by
       from keys.ended order by key_id`,
    );
    return rows;
  },
});
