import {
  jsonEvent,
  metastreamOf,
  NO_STREAM,
  WrongExpectedVersionError,
  type Credentials,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { isJsonObject } from '../../json-object.ts';
import { isFinal, retried, within } from './calls.ts';
import type { ClientFailover } from './client-failover.ts';
import { EventStoreDbReader } from './reader.ts';

/** Truncates and deletes by the streams' metadata. Retention is rare and may be slow. */
export class Retention {
  readonly #clients: ClientFailover;
  readonly #reader: EventStoreDbReader;
  readonly #options: { readonly credentials: Credentials; readonly requiresLeader: true };

  constructor(clients: ClientFailover, credentials: Credentials) {
    this.#clients = clients;
    this.#reader = new EventStoreDbReader(clients, credentials);
    this.#options = { credentials, requiresLeader: true };
  }

  /**
   * Sets `$tb` and keeps all other metadata. A write replaces all of it, so it is read first, and
   * written only over the version that was read.
   */
  async truncate(stream: string, before: number): Promise<void> {
    await retried(`truncating ${stream}`, async (leftMs) => {
      const last = await this.#reader.lastOf(stream, leftMs);
      if (!last) return;
      const to = Math.min(before, Number(last.revision));
      for (;;) {
        const current = await this.#reader.lastOf(metastreamOf(stream), leftMs);
        const metadata = isJsonObject(current?.data) ? current.data : {};
        const now = metadata['$tb'];
        if (typeof now === 'number' && now >= to) return;
        try {
          await this.#asked(leftMs, (client) =>
            client.appendToStream(
              metastreamOf(stream),
              jsonEvent({ type: '$metadata', data: { ...metadata, $tb: to } }),
              {
                ...this.#options,
                expectedRevision: current ? current.revision : NO_STREAM,
                deadline: leftMs,
              },
            ),
          );
          return;
        } catch (error) {
          // Another process has changed it meanwhile.
          if (!(error instanceof WrongExpectedVersionError)) throw error;
        }
      }
    });
  }

  /**
   * A soft deletion: a stream that is written again, against the rules, continues its revisions.
   */
  async delete(stream: string): Promise<void> {
    await retried(`deleting ${stream}`, async (leftMs) => {
      if (!(await this.#reader.lastOf(stream, leftMs))) return;
      await this.#asked(leftMs, (client) =>
        client.deleteStream(stream, { ...this.#options, deadline: leftMs }),
      );
    });
  }

  #asked<T>(leftMs: number, call: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    return this.#clients.ask(({ client }) => within(leftMs, call(client)), isFinal);
  }
}
