import type { EventStoreDBClient } from '@eventstore/db-client';

/** A client, until it is replaced. */
export interface ActiveClient {
  readonly client: EventStoreDBClient;
  /** Aborts on replacement. Answers over this client are ignored from then on. */
  readonly replaced: AbortSignal;
}

/** @param silent `host:port` of a server that leader discovery skips; `null`: none. */
export type OpenClient = (silent: string | null) => EventStoreDBClient;

/** The client was replaced during the call: retry. */
export class Replaced extends Error {
  constructor() {
    super('the connection was made anew');
    this.name = 'Replaced';
  }
}

/** Observes calls. Its methods must not throw or take long. */
export interface CallWatch {
  /** A call has been made. */
  called(): void;
  /** A call was answered, even by a refusal, over the current client. */
  answered(): void;
  /** A call has failed: the client may have switched to another server by itself. */
  failed(): void;
}

/**
 * Successive clients for one purpose. A client looks for another server only when its connection
 * breaks, which takes long if the server hangs: the client is then replaced from outside, and
 * waiting calls are rejected at once, so that they are retried.
 */
export class ClientFailover {
  readonly #open: OpenClient;
  readonly #watch: CallWatch;
  /** Waiting calls: what rejects each, and when it began; the oldest first. */
  readonly #waiting = new Map<(error: Error) => void, number>();
  #replaced = new AbortController();
  #current: ActiveClient;

  /** @throws As `open` does. */
  constructor(open: OpenClient, watch: CallWatch) {
    this.#open = open;
    this.#watch = watch;
    this.#current = { client: open(null), replaced: this.#replaced.signal };
  }

  get current(): ActiveClient {
    return this.#current;
  }

  /** When the oldest waiting call began; `null`: none is waiting. */
  get waitingSince(): number | null {
    return this.#waiting.values().next().value ?? null;
  }

  /**
   * Makes a call over the current client.
   *
   * @param isAnswer Whether an error of it is an answer of the server.
   * @throws {@link Replaced} as soon as that client is replaced; errors of `call`.
   */
  async ask<T>(
    call: (active: ActiveClient) => Promise<T>,
    isAnswer: (error: unknown) => boolean,
  ): Promise<T> {
    const active = this.#current;
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    this.#waiting.set(end, performance.now());
    this.#watch.called();
    try {
      const answer = await Promise.race([call(active), ended]);
      this.#watch.answered();
      return answer;
    } catch (error) {
      if (isAnswer(error)) this.#watch.answered();
      else this.#watch.failed();
      throw error;
    } finally {
      this.#waiting.delete(end);
    }
  }

  /**
   * Replaces the client and rejects its calls.
   *
   * @param silent `host:port` of a server that does not answer.
   * @throws As `open` does; nothing has changed then.
   */
  replace(silent: string | null): void {
    const { client } = this.#current;
    const next = this.#open(silent);
    const replaced = this.#replaced;
    this.#replaced = new AbortController();
    this.#current = { client: next, replaced: this.#replaced.signal };
    replaced.abort();
    for (const end of this.#waiting.keys()) end(new Replaced());
    void client.dispose();
  }

  dispose(): Promise<void> {
    return this.#current.client.dispose();
  }
}
