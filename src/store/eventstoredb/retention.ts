import {
  jsonEvent,
  metastreamOf,
  NO_STREAM,
  WrongExpectedVersionError,
  type Credentials,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { answered, within } from './calls.ts';
import { Reader } from './reader.ts';

/** Forgetting, by what the server keeps beside each stream. Retention is rare and may be slow. */
export class Retention {
  readonly #client: EventStoreDBClient;
  readonly #reader: Reader;
  readonly #options: { readonly credentials: Credentials; readonly requiresLeader: true };

  constructor(client: EventStoreDBClient, credentials: Credentials) {
    this.#client = client;
    this.#reader = new Reader(client, credentials);
    this.#options = { credentials, requiresLeader: true };
  }

  /**
   * Sets `$tb` and leaves what else is set. Setting metadata replaces all of it, so it is read
   * first and written only over what was read.
   */
  async truncate(stream: string, before: number): Promise<void> {
    await answered(`truncating ${stream}`, async (leftMs) => {
      const last = await this.#reader.lastOf(stream, leftMs);
      if (!last) return;
      const to = Math.min(before, Number(last.revision));
      for (;;) {
        const known = await this.#reader.lastOf(metastreamOf(stream), leftMs);
        const metadata = isRecord(known?.data) ? known.data : {};
        const now = metadata['$tb'];
        if (typeof now === 'number' && now >= to) return;
        try {
          await within(
            leftMs,
            this.#client.appendToStream(
              metastreamOf(stream),
              jsonEvent({ type: '$metadata', data: { ...metadata, $tb: to } }),
              {
                ...this.#options,
                expectedRevision: known ? known.revision : NO_STREAM,
                deadline: leftMs,
              },
            ),
          );
          return;
        } catch (error) {
          // Somebody else has changed it meanwhile.
          if (!(error instanceof WrongExpectedVersionError)) throw error;
        }
      }
    });
  }

  /** Deletes softly: the revisions go on, should the stream be written again against the rules. */
  async delete(stream: string): Promise<void> {
    await answered(`deleting ${stream}`, async (leftMs) => {
      if (!(await this.#reader.lastOf(stream, leftMs))) return;
      await within(
        leftMs,
        this.#client.deleteStream(stream, { ...this.#options, deadline: leftMs }),
      );
    });
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
