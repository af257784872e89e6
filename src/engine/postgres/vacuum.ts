import type { Pool } from 'pg';
import { onDedicatedConnection } from './dedicated-connection.ts';

/**
 * Removes old versions of rows from the pages of these tables, one after the other. Without the
 * pool's statement timeouts, because a large table takes long.
 *
 * @param name Names the connection in `pg_stat_activity`.
 */
export const vacuum = (
  on: { readonly pool: Pool; readonly name: string; readonly signal: AbortSignal },
  tables: readonly string[],
): Promise<void> =>
  onDedicatedConnection(on, async (client) => {
    for (const table of tables) await client.query(`vacuum ${table}`);
  });
