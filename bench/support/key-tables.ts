import { Pool } from 'pg';
import { readToken } from '../../src/identity/keys/token.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { mintedKey } from './minted-key.ts';

/**
 * Mints one key per organisation: in the log, and in the tables of the usual design (`api_key`, and
 * `key_use` for its uses), which are created in the database at `tablesUrl`.
 */
export const mintedTokens = async (
  log: EventStore,
  tablesUrl: string,
  organisations: number,
): Promise<string[]> => {
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
    const { keyId, token, secretHash } = await mintedKey(log, organisation);
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

/**
 * The usual design of checking a key: the key by its id, then the record, each in its own
 * transaction.
 *
 * @returns The key's organisation; `null` if it is not a key, or its secret is wrong.
 */
export const checkedAsUsual = async (
  pool: Pool,
  token: string,
  use: { readonly route: string; readonly sourceIp: string },
): Promise<string | null> => {
  const read = readToken(token);
  if (!read) return null;
  const at = new Date().toISOString();
  const { rows } = await pool.query<{ secret_hash: string; organisation: string }>({
    name: 'key',
    text: `select secret_hash, organisation from api_key
           where key_id = $1 and revoked_at is null and expires_at > $2`,
    values: [read.keyId, at],
  });
  const [key] = rows;
  if (!key || !read.hasHash(key.secret_hash)) return null;
  await pool.query({
    name: 'use',
    text: `insert into key_use (organisation, key_id, at, data) values ($1, $2, $3, $4)`,
    values: [key.organisation, read.keyId, at, JSON.stringify({ keyId: read.keyId, ...use, at })],
  });
  return key.organisation;
};
