import { Pool } from 'pg';
import type { Occasion } from '../../src/domain/decider.ts';
import { keyringOf, newKeyId, newToken } from '../../src/identity/keys/token.ts';
import { systemClock } from '../../src/ops/clock.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { keyringRepository } from '../../src/store/repositories/keyrings.ts';

/**
 * A key for each of so many organisations: in the log, and in the tables of the usual design beside
 * it (`api_key`, and `key_use` for its uses), which are made in the database at `tablesUrl`.
 */
export const mintedTokens = async (
  log: EventStore,
  tablesUrl: string,
  organisations: number,
): Promise<string[]> => {
  const keyrings = keyringRepository(log);
  const pool = new Pool({ connectionString: tablesUrl });
  await pool.query(`
    create table api_key (key_id text primary key, organisation text not null,
      secret_hash text not null, expires_at timestamptz not null, revoked_at timestamptz);
    create table key_use (id bigint generated always as identity primary key,
      organisation text not null, key_id text not null, at timestamptz not null,
      data json not null);
    create index on key_use (organisation, at);
    create index on key_use (key_id, at)`);
  const tokens: string[] = [];
  for (let at = 0; at < organisations; at += 1) {
    const organisation = `organisation-${at}`;
    const keyId = newKeyId(organisation);
    const { token, secretHash } = newToken(keyId);
    const mint = {
      type: 'MintKey',
      organisation,
      keyId,
      label: 'bench',
      scope: 'sandbox',
      secretHash,
      expiresInDays: 90,
    } as const;
    const occasion: Occasion = {
      at: systemClock.now(),
      by: { kind: 'user', id: 'ada' },
      origin: 'api',
    };
    const commandId = crypto.randomUUID();
    await keyrings.give(
      keyringOf(organisation),
      { commandId, organisation, command: mint },
      occasion,
    );
    await pool.query(`insert into api_key values ($1, $2, $3, now() + interval '90 days', null)`, [
      keyId,
      organisation,
      secretHash,
    ]);
    tokens.push(token);
  }
  await pool.end();
  return tokens;
};
