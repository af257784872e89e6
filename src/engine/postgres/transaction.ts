import type { Pool, PoolClient } from 'pg';
import { isRefusal } from '../aggregates/decider.ts';

/**
 * Runs `work` in one transaction. A refusal rolls it back as an error does: whoever is turned away
 * leaves no trace. A connection that cannot even roll back is not given to anybody else.
 */
export const transaction = async <Outcome>(
  db: Pool,
  work: (client: PoolClient) => Promise<Outcome>,
): Promise<Outcome> => {
  const client = await db.connect();
  let broken = true;
  try {
    await client.query('begin');
    const outcome = await work(client);
    const no = typeof outcome === 'object' && outcome !== null && isRefusal(outcome);
    await client.query(no ? 'rollback' : 'commit');
    broken = false;
    return outcome;
  } catch (error) {
    // What is told is why it failed, not that the connection then failed to roll back as well.
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
};
