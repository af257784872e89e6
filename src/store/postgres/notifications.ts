import { randomUUID } from 'node:crypto';
import { LOG_POLL_MS } from '../../limits.ts';
import type { Connection } from './connection.ts';
import type { Wakes } from '../../ops/wakes.ts';

/**
 * Wake-ups between processes over LISTEN and NOTIFY. Hints only: a subscription looks every
 * second whether or not it was woken, so what is lost here costs time and nothing else.
 *
 * NOTIFY is sent after the commit and not within it, where it would hold a lock that all
 * databases of the cluster share until the commit is on disk.
 */
export class Wakeups {
  readonly #speaking: Connection;
  readonly #listening: Connection;
  readonly #channel: string;
  readonly #wakes: Wakes;
  readonly #self = randomUUID();
  #sending = false;
  #again = false;
  #listeners = 0;
  /** Raised by each start and stop, so that what an earlier one left behind does nothing. */
  #round = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(speaking: Connection, listening: Connection, channel: string, wakes: Wakes) {
    this.#speaking = speaking;
    this.#listening = listening;
    this.#channel = channel;
    this.#wakes = wakes;
  }

  /** Tells the other processes, with at most one message under way. */
  tell(): void {
    if (this.#sending) {
      this.#again = true;
      return;
    }
    this.#sending = true;
    this.#speaking
      .rows({
        name: 'notify',
        text: 'select pg_notify($1, $2)',
        values: [this.#channel, this.#self],
      })
      .catch(() => {
        // The others look by themselves.
      })
      .finally(() => {
        this.#sending = false;
        if (!this.#again) return;
        this.#again = false;
        this.tell();
      });
  }

  /** Listens for as long as anyone does. Returns what ends that. */
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
      const client = await this.#listening.client();
      client.on('notification', ({ payload }) => {
        if (payload !== this.#self) this.#wakes.wake();
      });
      await client.query(`listen ${this.#channel}`);
      client.once('end', again);
      this.#wakes.wake();
    } catch {
      // The subscriptions look by themselves meanwhile.
      again();
    }
  }

  #stop(): void {
    this.#round += 1;
    clearTimeout(this.#retry);
    void this.#listening.hangUp();
  }
}
