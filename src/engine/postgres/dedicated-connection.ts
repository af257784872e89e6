import { Client, type Pool } from 'pg';
import { DATABASE_END_MAX_MS } from '../limits.ts';
import { closeSocket, endConnection } from './end-connection.ts';

/**
 * Runs `work` on a dedicated connection without the pool's statement timeouts: filling a table and
 * building its indexes take as long as they take.
 *
 * It ends when `signal` aborts, also if the server does not answer any more, or when this process
 * is gone: the server checks every second whether the client is still connected.
 *
 * @param name Names the connection in `pg_stat_activity`.
 */
export const onDedicatedConnection = async <T>(
  {
    pool,
    name,
    signal,
  }: { readonly pool: Pool; readonly name: string; readonly signal: AbortSignal },
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted();
  const client = new Client({
    ...pool.options,
    application_name: name,
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  // Users of the connection handle its errors; without a listener the event would end the process.
  client.on('error', () => {});
  let pid: number | undefined;
  let late: NodeJS.Timeout | undefined;
  const stop = () => {
    late = setTimeout(() => closeSocket(client), DATABASE_END_MAX_MS);
    if (pid === undefined) return;
    // If this fails, the server notices by itself that the client is gone.
    pool.query('select pg_terminate_backend($1)', [pid]).catch(() => {});
  };
  await client.connect();
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    const { rows } = await client.query<{ pid: number }>(
      `select pg_backend_pid() as pid, set_config('client_connection_check_interval', '1s', false)`,
    );
    pid = rows[0]!.pid;
    signal.throwIfAborted();
    return await work(client);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(late);
    // A connection that has failed cannot end in order: `work` has the reason.
    await endConnection(client).catch(() => {});
  }
};
