import { sql, type Kysely } from 'kysely';

/**
 * State of the log's consumers (projections, processes, timer tables): leases, checkpoints and
 * parked work. None of it is a read model and all of it may be dropped: holders acquire leases
 * again, projections start over, processes read their position from the log. `migrate` recreates a
 * dropped schema.
 */
export const consumerTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema consumers`,

  // One row per platform that holds leases; `process` identifies it on its machine.
  `create table consumers.heartbeat (
     holder  uuid primary key,
     beat_at timestamptz not null,
     process json
   )`,

  // Never deleted while the name is in use: its epoch only grows.
  `create table consumers.lease (
     name   text collate "C" primary key,
     holder uuid,
     epoch  bigint not null
   )`,

  // `tables` are those that the checkpoint describes: without them it is void.
  `create table consumers.checkpoint (
     consumer   text collate "C" primary key,
     position   text,
     epoch      bigint not null,
     events     bigint not null default 0,
     caught_up  boolean not null default false,
     tables     text[] not null default '{}',
     updated_at timestamptz not null,
     last_error text
   )`,

  // A parked lane: until an operator acts (retry_at is null), or until retry_at.
  `create table consumers.parked (
     consumer  text collate "C" not null,
     lane      text collate "C" not null,
     stream    text collate "C" not null,
     event_id  uuid not null,
     revision  bigint not null,
     position  text not null,
     reason    text not null,
     parked_at timestamptz not null,
     skipped   bigint not null default 0,
     retry_at  timestamptz,
     primary key (consumer, lane)
   )`,

  `create table consumers.skipped (
     consumer   text collate "C" not null,
     event_id   uuid not null,
     stream     text collate "C" not null,
     revision   bigint not null,
     skipped_at timestamptz not null,
     primary key (consumer, event_id)
   )`,

  `create table consumers.request (
     id            uuid primary key,
     consumer      text collate "C" not null,
     kind          text not null,
     lane          text,
     accept_parked boolean not null default false,
     state         text not null,
     cancelled     boolean not null default false,
     asked_at      timestamptz not null,
     asked_by      text not null,
     ended_at      timestamptz,
     progress      json,
     result        json,
     error         text
   )`,
  `create index request_consumer on consumers.request (consumer, asked_at)`,
  `create unique index request_one_build on consumers.request (consumer)
     where kind in ('rebuild', 'verify') and state in ('waiting', 'running')`,

  // Timers whose command neither removed nor moved their row.
  `create table consumers.stuck_timer (
     timers   text collate "C" not null,
     key      text collate "C" not null,
     due_at   timestamptz not null,
     attempts integer not null,
     reason   text,
     stuck_at timestamptz not null,
     retry_at timestamptz,
     primary key (timers, key)
   )`,

  // The log that all positions here belong to.
  `create table consumers.log (
     single boolean primary key default true check (single),
     id     uuid not null
   )`,
];
