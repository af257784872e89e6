import { randomUUID } from 'node:crypto';
import { LOG_POLL_MS } from '../../limits.ts';
import type { Connection } from './connection.ts';
import type { Signal } from '../../concurrency/signal.ts';

/**
 * Wake-ups between processes over LISTEN and NOTIFY. Hints only: subscriptions also poll, so that a
 * lost one only costs time.
 *
 * NOTIFY is sent after the commit and not within it, where it would hold a lock that all databases
 * of the cluster share until the commit is on disk.
 */
export class Notifications {
  readonly #connection: Connection;
  readonly #channel: string;
  readonly #wakes: Signal;
  readonly #self = randomUUID();
  #sending = false;
  #again = false;
  #listeners = 0;
  /** Raised by each start and stop, so that callbacks of an earlier one do nothing. */
  #round = 0;
  #retry: NodeJS.Timeout | undefined;
  #deafen = () => {};
  #arrive = false;

  /** @param connection Shared with others: a notification comes between two statements. */
  constructor(connection: Connection, channel: string, wakes: Signal) {
    this.#connection = connection;
    this.#channel = channel;
    this.#wakes = wakes;
  }

  /**
   * Whether one has arrived over the current connection: a pooler in between may drop them. Each
   * connection that listens sends the first one to itself.
   */
  get arrive(): boolean {
    return this.#arrive;
  }

  /** Notifies the other processes, with at most one message under way. */
  notify(): void {
    if (this.#sending) {
      this.#again = true;
      return;
    }
    this.#sending = true;
    this.#connection
      .rows({
        name: 'notify',
        text: 'select pg_notify($1, $2)',
        values: [this.#channel, this.#self],
      })
      .catch(() => {
        // The other processes also poll.
      })
      .finally(() => {
        this.#sending = false;
        if (!this.#again) return;
        this.#again = false;
        this.notify();
      });
  }

  /** Listens until every caller has called the function that was returned to it. */
  listen(): () => void {
    this.#listeners += 1;
    if (this.#listeners === 1) void this.#start();
    return () => {
      this.#listeners -= 1;
      if (this.#listeners === 0) this.#stop();
    };
  }

  async #start(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const again = () => {
      if (round === this.#round) this.#retry = setTimeout(() => void this.#start(), LOG_POLL_MS);
    };
    try {
      const client = await this.#connection.client();
      if (round !== this.#round) return;
      const heard = ({ payload }: { payload?: string | undefined }) => {
        this.#arrive = true;
        if (payload !== this.#self) this.#wakes.wake();
      };
      const ended = () => {
        this.#deafen();
        again();
      };
      client.on('notification', heard).once('end', ended);
      this.#deafen = () => {
        this.#arrive = false;
        client.off('notification', heard).off('end', ended);
      };
      await client.query(`listen ${this.#channel}`);
      this.#wakes.wake();
      this.notify();
    } catch {
      // The subscriptions poll meanwhile.
      this.#deafen();
      again();
    }
  }

  #stop(): void {
    this.#round += 1;
    clearTimeout(this.#retry);
    this.#deafen();
  }
}
