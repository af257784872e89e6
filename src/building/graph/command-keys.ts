/** Results of commands with an `Idempotency-Key`. contract.md section 1. */
import type { ClientBase } from 'pg';
import { refuse, type Instant, type Refusal } from '../../engine/aggregates/decider.ts';

export interface KeyedCommand {
  readonly organisation: string;
  /** UUID. */
  readonly commandId: string;
  /** Absent for a command without a key, which is never a repeat. */
  readonly bodyHash?: string | undefined;
  readonly at: Instant;
}

/**
 * Executes a command once, in the caller's transaction: the first call runs `work`, a repeat
 * returns its result. Of two concurrent calls the second waits here until the first has committed
 * or failed.
 *
 * Refuses as `work` does, and `IDEMPOTENCY_KEY_REUSED` for a command id with another body. After a
 * refusal the transaction must be rolled back.
 */
export const once = async <Result extends object>(
  client: ClientBase,
  command: KeyedCommand,
  work: () => Promise<Result | Refusal>,
): Promise<(Result & { replayed: boolean }) | Refusal> => {
  const { commandId, bodyHash } = command;
  const first = bodyHash === undefined ? null : await claimed<Result>(client, command, bodyHash);
  if (first) return 'refused' in first ? first : { ...first, replayed: true };

  const result = await work();
  if ('refused' in result) return result;
  if (bodyHash !== undefined) {
    const statement = 'update graph.command_key set result = $2 where command_id = $1';
    await client.query(statement, [commandId, JSON.stringify(result)]);
  }
  return { ...result, replayed: false };
};

/** Claims the command id, or returns the recorded result. */
const claimed = async <Result extends object>(
  client: ClientBase,
  command: KeyedCommand,
  bodyHash: string,
): Promise<Result | Refusal | null> => {
  const earlier = await claimCommand(client, { ...command, bodyHash });
  if (earlier === null) return null;
  return earlier.bodyHash === bodyHash ? (earlier.result as Result) : reusedKey;
};

/** Claims the command id. @returns The earlier claim; `null`: none. */
export const claimCommand = async (
  db: Pick<ClientBase, 'query'>,
  { commandId, organisation, at, bodyHash }: KeyedCommand & { readonly bodyHash: string },
): Promise<{ readonly bodyHash: string; readonly result: unknown } | null> => {
  const claim = await db.query(
    `insert into graph.command_key (command_id, organisation, body_hash, given_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [commandId, organisation, bodyHash, at],
  );
  if (claim.rowCount === 1) return null;
  const { rows } = await db.query<{ bodyHash: string; result: unknown }>(
    `select body_hash as "bodyHash", result from graph.command_key where command_id = $1`,
    [commandId],
  );
  return rows[0]!;
};

export const reusedKey = refuse('IDEMPOTENCY_KEY_REUSED', 'This key was used with another body.');
