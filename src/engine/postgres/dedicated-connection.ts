import { Client, type Pool } from 'pg';

/**
 * Runs `work` on a connection of its own, without the deadlines that the pool's statements have:
 * filling a table and building its indexes take as long as they take.
 *
 * Instead of by a deadline it ends when `signal` aborts, or when this process is gone: the server
 * looks every second whether anybody is still there.
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
  // Whoever uses the connection hears that it is gone; without a listener the process would end.
  client.on('error', () => {});
  await client.connect();
  let ended = () => {};
  try {
    const { rows } = await client.query<{ pid: number }>(
      `select pg_backend_pid() as pid, set_config('client_connection_check_interval', '1s', false)`,
    );
    const stop = () => {
      // A failure leaves the server to find out by itself that nobody is there.
      pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]).catch(() => {});
    };
    signal.addEventListener('abort', stop, { once: true });
    ended = () => signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    return await work(client);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    ended();
    await client.end().catch(() => {});
  }
};
