/**
 * Which attachments need which stored file, in rows beside the log: bytes that several attachments
 * share are removed with the last of them. A row is a claim until the attachment's event is seen.
 */
import type { Pool, PoolClient } from 'pg';
import { lockName } from '../engine/postgres/advisory-lock.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { semaphore } from '../engine/concurrency/semaphore.ts';
import { transaction } from '../engine/postgres/transaction.ts';
import { systemClock, type Clock } from '../engine/time/clock.ts';
import type { FileName, FileStore } from './file-store.ts';
import { FILE_REMOVAL_LOCKED_MAX_MS, FILE_REMOVALS_AT_ONCE, FILE_SWEPT_AT_ONCE } from './limits.ts';

/** A stored file of an attachment. */
export interface FileReference extends FileName {
  readonly ticketId: string;
  readonly attachmentId: string;
}

export interface FileReferences {
  /**
   * Keeps the file from being removed until the claim is recorded, released, withdrawn or swept. To
   * be called before the bytes become readable.
   */
  claim(reference: FileReference): Promise<FileClaim>;
  /** The attachment's event is in the log. Idempotent. */
  record(reference: FileReference): Promise<void>;
  /** Forgets the reference, and removes bytes and preview with the last one. Idempotent. */
  release(reference: FileReference): Promise<void>;
  /**
   * Releases a claim of {@link claimedBefore}, unless the attachment was claimed again or recorded
   * meanwhile. Idempotent.
   *
   * @returns Whether it was released.
   */
  releaseClaim(reference: FileReference, before: Instant): Promise<boolean>;
  /** Those of the tickets that have files: a claim precedes each event, so none is missing. */
  ticketsWithFiles(ticketIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Claims from before `at`, oldest first, at most {@link FILE_SWEPT_AT_ONCE}. */
  claimedBefore(at: Instant): Promise<readonly FileReference[]>;
}

export interface FileClaim {
  /**
   * The attachment was refused: removes the bytes, unless others need them. It does nothing if the
   * same attachment was claimed twice: the other claim may be recorded. Idempotent.
   */
  withdraw(): Promise<void>;
}

/**
 * @param clock Stamps claims. Default: real time. A virtual clock may be advanced between a claim
 *   and its event, and the claim would be swept.
 */
export const fileReferences = (
  pool: Pool,
  files: Pick<FileStore, 'remove'>,
  clock: Clock = systemClock,
): FileReferences => {
  // A store that does not answer must not hold all connections to the database.
  const removals = semaphore(FILE_REMOVALS_AT_ONCE);
  const removing = <Result>(
    reference: FileReference,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> =>
    removals.run(() =>
      alone(pool, reference, async (client) => {
        await client.query(
          `set local idle_in_transaction_session_timeout = ${FILE_REMOVAL_LOCKED_MAX_MS}`,
        );
        return work(client);
      }),
    );

  const valuesOf = ({ organisation, sha256, attachmentId, ticketId }: FileReference) => [
    organisation,
    sha256,
    attachmentId,
    ticketId,
  ];

  const removeUnneeded = async (client: PoolClient, { organisation, sha256 }: FileName) => {
    const { rows } = await client.query(
      'select from files.reference where organisation = $1 and sha256 = $2 limit 1',
      [organisation, sha256],
    );
    if (rows.length > 0) return;
    await client.query('delete from files.preview where organisation = $1 and sha256 = $2', [
      organisation,
      sha256,
    ]);
    await files.remove({ organisation, sha256 });
  };

  const withdraw = (reference: FileReference, claimed: string) =>
    removing(reference, async (client) => {
      const { organisation, sha256, attachmentId } = reference;
      const { rowCount } = await client.query(
        `delete from files.reference
         where organisation = $1 and sha256 = $2 and attachment_id = $3 and claimed_at = $4`,
        [organisation, sha256, attachmentId, claimed],
      );
      if (rowCount === 1) await removeUnneeded(client, reference);
    });

  return {
    claim: (reference) =>
      alone(pool, reference, async (client) => {
        // Each claim of one attachment has a time of its own, which names it.
        const { rows } = await client.query<{ claimed: string; first: boolean }>(
          `insert into files.reference as held
             (organisation, sha256, attachment_id, ticket_id, claimed_at)
           values ($1, $2, $3, $4, $5)
           on conflict (organisation, sha256, attachment_id) do update
             set claimed_at =
               greatest(excluded.claimed_at, held.claimed_at + interval '1 microsecond')
           returning claimed_at::text as claimed, xmax = 0 as first`,
          [...valuesOf(reference), clock.now()],
        );
        const { claimed, first } = rows[0]!;
        return { withdraw: () => (first ? withdraw(reference, claimed) : Promise.resolve()) };
      }),

    async record(reference) {
      await pool.query(
        `insert into files.reference (organisation, sha256, attachment_id, ticket_id)
         values ($1, $2, $3, $4)
         on conflict (organisation, sha256, attachment_id) do update set claimed_at = null`,
        valuesOf(reference),
      );
    },

    release: (reference) =>
      removing(reference, async (client) => {
        const { organisation, sha256, attachmentId } = reference;
        await client.query(
          `delete from files.reference
           where organisation = $1 and sha256 = $2 and attachment_id = $3`,
          [organisation, sha256, attachmentId],
        );
        await removeUnneeded(client, reference);
      }),

    releaseClaim: (reference, before) =>
      removing(reference, async (client) => {
        const { organisation, sha256, attachmentId } = reference;
        const { rowCount } = await client.query(
          `delete from files.reference
           where organisation = $1 and sha256 = $2 and attachment_id = $3 and claimed_at < $4`,
          [organisation, sha256, attachmentId, before],
        );
        if (rowCount === 1) await removeUnneeded(client, reference);
        return rowCount === 1;
      }),

    async ticketsWithFiles(ticketIds) {
      const { rows } = await pool.query<{ ticketId: string }>(
        `select distinct ticket_id as "ticketId" from files.reference
         where ticket_id = any($1::uuid[])`,
        [ticketIds],
      );
      return new Set(rows.map(({ ticketId }) => ticketId));
    },

    async claimedBefore(at) {
      const { rows } = await pool.query<FileReference>(
        `select organisation, sha256, attachment_id as "attachmentId", ticket_id as "ticketId"
         from files.reference where claimed_at < $1 order by claimed_at limit $2`,
        [at, FILE_SWEPT_AT_ONCE],
      );
      return rows;
    },
  };
};

/** Serialises work on the same bytes, in all processes. */
export const alone = <Result>(
  pool: Pool,
  { organisation, sha256 }: FileName,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> =>
  transaction(pool, async (client) => {
    await lockName(client, JSON.stringify([organisation, sha256]));
    return work(client);
  });
