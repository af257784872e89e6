import type { Pool, PoolClient } from 'pg';

/**
 * The books that the runtimes keep: who owns what, how far each projection and each process has
 * come, and what they have set aside. None of it is a read model and all of it may be dropped:
 * owners are found again, projections start over, processes ask the log for their place.
 *
 * Made where they are missing, under a lock, because several processes start at once. Safe to
 * repeat.
 */
export const openBooks = async (db: Pick<Pool | PoolClient, 'query'>): Promise<void> => {
  await db.query(STATEMENTS);
};

/** One string of several statements is one transaction. */
const STATEMENTS = `
  select pg_advisory_xact_lock(hashtextextended('atrium/books', 0));

  create schema if not exists ownership;
  create table if not exists ownership.holder (
    name    text collate "C" primary key,
    epoch   bigint not null,
    backend integer not null,
    beat    bigint not null
  );

  create schema if not exists projections;
  create table if not exists projections.checkpoint (
    name       text collate "C" not null,
    version    integer not null,
    position   text,
    epoch      bigint not null,
    applied    bigint not null default 0,
    caught_up  boolean not null default false,
    updated_at timestamptz not null,
    last_error text,
    primary key (name, version)
  );
  create table if not exists projections.parked (
    name      text collate "C" not null,
    version   integer not null,
    stream    text collate "C" not null,
    event_id  uuid not null,
    revision  bigint not null,
    position  text not null,
    error     text not null,
    parked_at timestamptz not null,
    skipped   bigint not null default 0,
    primary key (name, version, stream)
  );
  -- The log that these checkpoints are positions of.
  create table if not exists projections.log (
    single boolean primary key default true check (single),
    id     uuid not null
  );
  create table if not exists projections.skipped (
    name       text collate "C" not null,
    version    integer not null,
    event_id   uuid not null,
    stream     text collate "C" not null,
    revision   bigint not null,
    skipped_at timestamptz not null,
    primary key (name, version, event_id)
  );
  create table if not exists projections.request (
    id            uuid primary key,
    name          text collate "C" not null,
    version       integer not null,
    kind          text not null,
    stream        text,
    accept_parked boolean not null default false,
    state         text not null,
    cancelled     boolean not null default false,
    asked_at      timestamptz not null,
    asked_by      text not null,
    ended_at      timestamptz,
    progress      json,
    result        json,
    error         text
  );
  create index if not exists request_of on projections.request (name, version, asked_at);
  create unique index if not exists request_one_build on projections.request (name, version)
    where kind in ('rebuild', 'verify') and state in ('waiting', 'running');

  create schema if not exists process;
  create table if not exists process.checkpoint (
    name       text collate "C" primary key,
    position   text,
    epoch      bigint not null,
    handled    bigint not null default 0,
    updated_at timestamptz not null,
    last_error text
  );
  create table if not exists process.parked (
    name      text collate "C" not null,
    stream    text collate "C" not null,
    event_id  uuid not null,
    revision  bigint not null,
    position  text not null,
    error     text not null,
    parked_at timestamptz not null,
    skipped   bigint not null default 0,
    primary key (name, stream)
  );
  create table if not exists process.log (
    single boolean primary key default true check (single),
    id     uuid not null
  );
`;
