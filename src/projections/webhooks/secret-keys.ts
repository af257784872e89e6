/** The configured keys that can open the sealed webhook secrets. design.md decision 16. */
import type { Pool } from 'pg';
import { CannotOpen, keyIdOf, type Secrets } from '../../engine/secrets/secrets.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { webhookSubscriptions } from './subscriptions.ts';
import { subscriptionStream } from '../../use-cases/webhooks/subscriptions.ts';

export interface SecretKeys {
  /** Ids of keys that open a secret sealed under them. */
  readonly open: readonly string[];
  /** Ids of keys that are not configured, or do not open a secret sealed under them. */
  readonly closed: readonly string[];
}

const {
  tables: [SUBSCRIPTION],
} = statementsOf(webhookSubscriptions);

/** Opens one secret per key id. Both lists are empty without webhooks. */
export const secretKeysIn = async (pool: Pool, secrets: Secrets | null): Promise<SecretKeys> => {
  const { rows: tables } = await pool.query<{ table: string | null }>(
    'select to_regclass($1) as table',
    [SUBSCRIPTION],
  );
  if (tables[0]!.table === null) return { open: [], closed: [] };
  const { rows } = await pool.query<{ webhookId: string; sealed: string }>(
    `select distinct on (split_part(sealed_secret, '.', 2))
            webhook_id as "webhookId", sealed_secret as sealed
     from ${SUBSCRIPTION} order by split_part(sealed_secret, '.', 2), webhook_id`,
  );
  const opens = ({ webhookId, sealed }: (typeof rows)[number]): boolean => {
    try {
      return secrets !== null && secrets.open(sealed, subscriptionStream(webhookId)) !== '';
    } catch (error) {
      if (error instanceof CannotOpen) return false;
      throw error;
    }
  };
  const { open = [], closed = [] } = Object.groupBy(rows, (row) =>
    opens(row) ? 'open' : 'closed',
  );
  const ids = (some: typeof rows) => some.map(({ sealed }) => keyIdOf(sealed));
  return { open: ids(open), closed: ids(closed) };
};
