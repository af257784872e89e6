import type { EventStoreDBClient } from '@eventstore/db-client';

/** A client, until another one takes its place. */
export interface ActiveClient {
  readonly client: EventStoreDBClient;
  /** Aborts when another one has. What comes over this one afterwards counts no more. */
  readonly replaced: AbortSignal;
}

/** @param silent `host:port` of a server that is not to be asked who leads; `null`: all may be. */
export type OpenClient = (silent: string | null) => EventStoreDBClient;

/** Another client has taken the place of the one that was asked: ask again. */
export class Replaced extends Error {
  constructor() {
    super('the connection was made anew');
    this.name = 'Replaced';
  }
}

/** What is told of calls. None of it may throw or take long. */
export interface CallWatch {
  /** A call has been made. */
  asked(): void;
  /** One was answered, as much as by a refusal, over the client that is in place. */
  answered(): void;
  /** One has failed: the client may have gone over to another server by itself. */
  failed(): void;
}

/**
 * The clients of one purpose, one after the other. A client looks for another server only when its
 * connection breaks, and that of a server that hangs breaks late: then it is replaced from outside,
 * and who waits for an answer is told at once, so that he asks again.
 */
export class ClientFailover {
  readonly #open: OpenClient;
  readonly #watch: CallWatch;
  /** What ends a call that waits, and since when it does: the oldest first. */
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

  /** Since when the oldest call has been waiting for its answer; `null`: none is. */
  get waitingSince(): number | null {
    return this.#waiting.values().next().value ?? null;
  }

  /**
   * Makes a call over the client that is in place.
   *
   * @param isAnswer Whether an error of it is an answer of the server.
   * @throws {@link Replaced} as soon as that one is replaced; what `call` throws.
   */
  async ask<T>(
    call: (active: ActiveClient) => Promise<T>,
    isAnswer: (error: unknown) => boolean,
  ): Promise<T> {
    const active = this.#current;
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    this.#waiting.set(end, performance.now());
    this.#watch.asked();
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
   * Puts a new client in place; the calls of the one before are over.
   *
   * @param silent `host:port` of a server that does not answer.
   * @throws As `open` does; everything is then as it was.
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
