import type { Pool } from 'pg';
import type { Instant } from '../time/instant.ts';
import type { Purpose } from '../log/personal-data.ts';

/** Whose personal data a key seals. */
export interface KeyOwner {
  readonly organisation: string;
  /** `user:<id>`, `email:<address in lower case>` or `<category>:<id>` of what it belongs to. */
  readonly subject: string;
  readonly purpose: Purpose;
  /** The display name that a pseudonym of this key stands for: another name has another key. */
  readonly name?: string | undefined;
}

export interface NamedKey {
  readonly keyId: string;
  readonly subject: string;
  readonly purpose: Purpose;
}

export interface HeldKey {
  readonly keyId: string;
  /** `null`: it was unlinked from its person. */
  readonly subject: string | null;
}

/** A row of `personal.keys`. */
export interface KeyRow {
  readonly keyId: string;
  readonly organisation: string;
  readonly subject: string | null;
  readonly name: string | null;
  readonly purpose: Purpose;
  readonly wrapped: string;
  readonly createdAt: Instant;
}

/** The statements on `personal.keys`. */
export const keyRowsIn = (pool: Pool) => ({
  async ofOwners(owners: readonly KeyOwner[]): Promise<readonly KeyRow[]> {
    const { rows } = await pool.query<KeyRow>(OF_OWNERS, [
      owners.map(({ organisation }) => organisation),
      owners.map(({ subject }) => subject),
      owners.map(({ purpose }) => purpose),
      owners.map(({ name }) => name ?? ''),
    ]);
    return rows;
  },

  /** The rows of these owners: the new ones, or those that another process created first. */
  async created(given: readonly KeyRow[]): Promise<readonly KeyRow[]> {
    if (given.length === 0) return [];
    const { rows } = await pool.query<KeyRow>(CREATE, [JSON.stringify(given)]);
    const created = new Set(rows.map(({ keyId }) => keyId));
    const raced = given.filter(({ keyId }) => !created.has(keyId));
    if (raced.length === 0) return rows;
    const owners = raced.map((row) => ({
      ...row,
      subject: row.subject!,
      name: row.name ?? undefined,
    }));
    return [...rows, ...(await this.ofOwners(owners))];
  },

  async byId(keyIds: readonly string[]): Promise<readonly KeyRow[]> {
    const { rows } = await pool.query<KeyRow>({
      name: 'person keys',
      text: BY_ID,
      values: [keyIds],
    });
    return rows;
  },

  async ofSubjects(organisation: string, subjects: readonly string[]) {
    const { rows } = await pool.query<NamedKey>(OF_SUBJECTS, [organisation, subjects]);
    return rows;
  },

  async held(keyIds: readonly string[]): Promise<readonly HeldKey[]> {
    const { rows } = await pool.query<HeldKey>(HELD, [keyIds]);
    return rows;
  },

  async destroyed(keyIds: readonly string[]): Promise<readonly KeyRow[]> {
    const { rows } = await pool.query<KeyRow>(DESTROY, [keyIds]);
    return rows;
  },

  async destroyedAgain(): Promise<readonly KeyRow[]> {
    const { rows } = await pool.query<KeyRow>(DESTROY_AGAIN);
    return rows;
  },

  /** The rows as they were. */
  async unlinked(keyIds: readonly string[]): Promise<readonly KeyRow[]> {
    const { rows } = await pool.query<KeyRow>(UNLINK, [keyIds]);
    return rows;
  },
});

const columns = (alias: string) => `
  ${alias}.key_id as "keyId", ${alias}.organisation, ${alias}.subject, ${alias}.name,
  ${alias}.purpose, ${alias}.wrapped, ${alias}.created_at as "createdAt"`;

const OF_OWNERS = `
  select ${columns('k')}
  from unnest($1::text[], $2::text[], $3::text[], $4::text[])
    as owner (organisation, subject, purpose, name)
  join personal.keys k on k.organisation = owner.organisation and k.subject = owner.subject
    and k.purpose = owner.purpose and coalesce(k.name, '') = owner.name`;

// In one order everywhere, so that two processes never wait for each other's rows.
const CREATE = `
  insert into personal.keys as k
    (key_id, organisation, subject, name, purpose, wrapped, created_at)
  select "keyId", organisation, subject, name, purpose, wrapped, "createdAt"
  from json_to_recordset($1::json) as given ("keyId" uuid, organisation text, subject text,
    name text, purpose text, wrapped text, "createdAt" timestamptz)
  order by organisation, subject, purpose, coalesce(name, '')
  on conflict (organisation, subject, purpose, coalesce(name, '')) do nothing
  returning ${columns('k')}`;

const BY_ID = `select ${columns('k')} from personal.keys k where k.key_id = any($1::uuid[])`;

const OF_SUBJECTS = `
  select k.key_id as "keyId", k.subject, k.purpose from personal.keys k
  where k.organisation = $1 and k.subject = any($2::text[]) order by k.key_id`;

const HELD = `
  select k.key_id as "keyId", k.subject from personal.keys k
  where k.key_id = any($1::uuid[]) order by k.key_id`;

// Records with the deletion that the key was destroyed, not lost.
const DESTROY = `
  with noted as (
    insert into personal.destroyed (key_id) select distinct unnest($1::uuid[])
    on conflict do nothing)
  delete from personal.keys k where k.key_id = any($1::uuid[]) returning ${columns('k')}`;

const DESTROY_AGAIN = `
  delete from personal.keys k using personal.destroyed d where d.key_id = k.key_id
  returning ${columns('k')}`;

const UNLINK = `
  with before as (
    select * from personal.keys where key_id = any($1::uuid[]) and subject is not null for update)
  update personal.keys k set subject = null, name = null from before
  where k.key_id = before.key_id returning ${columns('before')}`;
