import type { Pool, PoolClient } from 'pg';
import { isRefusal } from '../refusal.ts';

/**
 * Runs `work` in one transaction. A refusal rolls it back as an error does, and leaves no trace. A
 * connection that cannot roll back is not reused.
 *
 * @param isKept Whether an outcome that is no refusal is committed. Default: yes.
 */
export const transaction = async <Outcome>(
  db: Pool,
  work: (client: PoolClient) => Promise<Outcome>,
  isKept = true,
): Promise<Outcome> => {
  const client = await db.connect();
  let broken = true;
  try {
    await client.query('begin');
    const outcome = await work(client);
    const no = typeof outcome === 'object' && outcome !== null && isRefusal(outcome);
    await client.query(no || !isKept ? 'rollback' : 'commit');
    broken = false;
    return outcome;
  } catch (error) {
    // Throws the original error, not the failure of the rollback.
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
};
