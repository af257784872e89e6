import { Client, DatabaseError, Query, type ClientConfig, type QueryArrayConfig } from 'pg';
import { LOG_CALL_TIMEOUT_MS, LOG_CONNECTION_IDLE_MAX_MS } from '../../limits.ts';
import type { Report } from '../../observe/report.ts';
import { configuredAt } from '../../postgres/pool.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import { LogUnavailable } from '../event-store.ts';
import { copyOut, UnreadableCopy } from './copy-out.ts';

/** Without a listener for `error`, a server that restarts would end the whole process. */
export const unlistened = (client: Client): Client => client.on('error', () => {});

export interface ConnectionOptions {
  readonly url: string;
  /** The role to assume; none: the login's own rights. */
  readonly role?: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Many statements under way at once, each a transaction of its own. */
  readonly pipeline?: boolean;
  readonly report: Report;
  /** Ended when it has not been used for so long. Default {@link LOG_CONNECTION_IDLE_MAX_MS}. */
  readonly idleMaxMs?: number;
  /** Called when data has arrived, before it is processed. */
  readonly arrived?: () => void;
}

/**
 * One connection to Postgres, made when it is first needed and made again after it was lost or has
 * been idle for long, so that an idle platform holds few. Values come as text but for integers; a
 * type parser is the client's own, never the process's.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #client: Promise<Client> | null = null;
  #ended = false;
  #underWay = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Whether it is connected and has no statement under way. */
  get isFree(): boolean {
    return this.#client !== null && this.#underWay === 0;
  }

  /** Rows as arrays. @throws what {@link isLost} knows, or a `DatabaseError`. */
  rows<Row extends unknown[]>(query: Omit<QueryArrayConfig, 'rowMode'>): Promise<Row[]> {
    return this.#use((client) =>
      client.query<Row>({ ...query, rowMode: 'array' }).then(({ rows }) => rows),
    );
  }

  /**
   * Passes each row on as it arrives, and keeps none. Throws as {@link rows}.
   *
   * @param take Must not throw.
   */
  eachRow(query: Omit<QueryArrayConfig, 'rowMode'>, take: (row: unknown[]) => void): Promise<void> {
    return this.#use(
      (client) =>
        new Promise((resolve, reject) => {
          const asArrays: QueryArrayConfig = { ...query, rowMode: 'array' };
          const sent = client.query(new Query(asArrays));
          sent.on('row', take);
          sent.on('error', reject).on('end', () => resolve());
        }),
    );
  }

  /** As {@link copyOut}, on a connection that is not pipelined. Throws as {@link rows}. */
  copyOut(statement: string, take: (message: Buffer) => void): Promise<void> {
    return this.#use((client) => copyOut(client, statement, take));
  }

  async #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#underWay += 1;
    clearTimeout(this.#idle);
    try {
      return await this.#whileConnected(work);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#rest();
    }
  }

  #rest(): void {
    if (this.#ended) return;
    const { idleMaxMs = LOG_CONNECTION_IDLE_MAX_MS } = this.#options;
    this.#idle = setTimeout(() => void this.hangUp(), idleMaxMs);
    this.#idle.unref();
  }

  async #whileConnected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const connected = this.client();
    const client = await connected;
    const hangUp = () => client.connection.stream.destroy();
    try {
      return await withDeadline(
        work(client),
        // A statement given up would block those after it, so its connection is ended.
        hangUp,
      );
    } catch (error) {
      // The server announces the end of a connection before it ends it. What is sent over it in
      // between would be lost as well.
      if (error instanceof DatabaseError && isLost(error)) {
        if (this.#client === connected) this.#client = null;
        hangUp();
      }
      throw error;
    }
  }

  /** The client, connected. One attempt, shared by all callers meanwhile. */
  client(): Promise<Client> {
    if (this.#ended) return Promise.reject(new LogUnavailable('it was closed'));
    if (!this.#client) {
      const client = this.#connected();
      const lost = () => {
        if (this.#client === client) this.#client = null;
      };
      client.then((made) => made.once('error', lost).once('end', lost), lost);
      this.#client = client;
    }
    return this.#client;
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#idle);
    await this.hangUp();
  }

  /** Ends the connection; the next use makes another. */
  async hangUp(): Promise<void> {
    const connected = this.#client;
    this.#client = null;
    const client = await connected?.catch(() => null);
    if (!client) return;
    const stream = client.connection.stream;
    await withDeadline(client.end(), () => stream.destroy()).catch((error: unknown) => {
      this.#options.report.warn({ err: error }, 'a connection of the log did not end by itself');
    });
  }

  async #connected(): Promise<Client> {
    const { url, name, pipeline = false } = this.#options;
    const client = unlistened(
      new Client(
        configuredAt(url, {
          application_name: name,
          pipeline,
          keepAlive: true,
          types,
          connectionTimeoutMillis: LOG_CALL_TIMEOUT_MS,
          statement_timeout: LOG_CALL_TIMEOUT_MS,
        }),
      ),
    );
    try {
      await withDeadline(this.#enter(client), () => client.connection.stream.destroy());
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    return client;
  }

  async #enter(client: Client): Promise<void> {
    const { role, report, arrived } = this.#options;
    await client.connect();
    if (arrived) client.connection.stream.prependListener('data', arrived);
    await client.query(
      `select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO', false),
         case when current_setting('synchronous_commit') = 'off'
           then set_config('synchronous_commit', 'on', false) end,
         ${BY_INDEX.map((name) => `set_config('${name}', 'off', false)`).join(', ')}`,
    );
    if (role !== undefined) await takeRole(client, role, report);
  }
}

/**
 * Forces index scans, in the order of the log. With missing or outdated statistics, as while the
 * log grows fast, Postgres reads and sorts fifty pages for each page of the log.
 */
const BY_INDEX = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'] as const;

const takeRole = async (client: Client, role: string, report: Report): Promise<void> => {
  try {
    await client.query(`set role ${role}`);
  } catch (error) {
    if (!isRoleRefused(error)) throw error;
    // `prepareLog` has checked that this login has no more rights than the role.
    report.warn({ role }, 'the log is used with the rights of its login: the role cannot be set');
  }
};

/** The role does not exist, or this login may not assume it. */
export const isRoleRefused = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(22023|42501)$/.test(error.code ?? '');

/**
 * The connection is gone, so whether the statement was carried out is not known. 57P01 to 57P03:
 * the server is stopping, has crashed, or is starting.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? /^(08|57P)/.test(error.code ?? '')
    : !(error instanceof UnreadableCopy);

/**
 * The server cannot carry the statement out, though it is not wrong: no space, no right to connect,
 * a standby, a statement that took too long. Nothing was stored.
 */
export const isUnable = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(53|28|3D|25006|55P03|57014|58)/.test(error.code ?? '');

const withDeadline = <T>(work: Promise<T>, giveUp: () => void): Promise<T> =>
  withTimeout(work, LOG_CALL_TIMEOUT_MS, () => {
    giveUp();
    throw new LogUnavailable(`no answer within ${LOG_CALL_TIMEOUT_MS} ms`);
  });

const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23]);

const asText = (value: string): unknown => value;

const types: NonNullable<ClientConfig['types']> = {
  getTypeParser: ((oid: number) => (INTEGERS.has(oid) ? Number : asText)) as never,
};
