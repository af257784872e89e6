import { sql, type Kysely } from 'kysely';

/**
 * Browser sessions (contract.md section 2), and the logout tokens of the issuer that were used.
 * Neither is in the log: a session that is lost costs one sign-in.
 */
export const browserSessions = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema session`,

  `create table session.session (
     session_id    uuid primary key,
     cookie_hash   bytea not null unique,
     origin        text not null,
     subject       text not null,
     issuer_sid    text,
     tokens        text not null,
     rotation      integer not null default 0,
     renew_at      timestamptz not null,
     token_ends_at timestamptz not null,
     created_at    timestamptz not null,
     last_used_at  timestamptz not null,
     user_agent    text,
     source_ip     text not null
   )`,
  `create index on session.session (subject, last_used_at)`,
  `create index on session.session (issuer_sid)`,
  `create index on session.session (last_used_at)`,
  `create index on session.session (created_at)`,

  `create table session.logout_token (
     token_hash bytea primary key,
     kept_until timestamptz not null
   )`,
  `create index on session.logout_token (kept_until)`,
];
