/**
 * The file of an export: JSON lines. The first is a header, the last a trailer; between them one
 * line per event, and a mark after every {@link EXPORT_MARK_EVENTS}. Marks and the trailer hold the
 * SHA-256 of all lines before them, which shows whether a file was truncated or changed, and how
 * much of it is intact.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EXPORT_MARK_EVENTS } from '../limits.ts';
import type { Backend, Position, StoredEvent } from '../../engine/log/event-store.ts';

export interface Header {
  /** The version of this format. */
  readonly atriumEvents: 1;
  /** Identity of the exported log. */
  readonly log: string;
  /** The exported log's backend, which determines the format of positions. */
  readonly backend: Backend;
  readonly exportedAt: string;
  /** Only events after this position; `null`: from the beginning. */
  readonly after: Position | null;
  /** Only these categories; `null`: all. */
  readonly categories: readonly string[] | null;
  /** Personal data that the log holds in the clear is sealed. */
  readonly sealed?: true;
}

/** The lines before a mark or the trailer: the number of events, and the digest. */
export interface Sum {
  readonly events: number;
  /** Position of the last event; `null`: no events. */
  readonly position: Position | null;
  readonly sha256: string;
}

const sum = z.strictObject({
  events: z.int().min(0),
  position: z.string().nullable(),
  sha256: z.string(),
});

const header = {
  atriumEvents: z.literal(1),
  log: z.guid(),
  exportedAt: z.string(),
  after: z.string().nullable(),
  categories: z.array(z.string()).nullable(),
};
const backend = z.enum(['memory', 'postgres', 'eventstoredb']);

const line = z.union([
  z.strictObject({
    position: z.string(),
    stream: z.string(),
    revision: z.int().min(0),
    id: z.guid(),
    type: z.string(),
    data: z.unknown(),
    meta: z.record(z.string(), z.string()),
    recordedAt: z.string(),
  }),
  z.strictObject({ mark: sum }),
  z.strictObject({ trailer: sum }),
  z.strictObject({ ...header, backend, sealed: z.exactOptional(z.literal(true)) }),
  // Older exports call the backend `keeping`.
  z
    .strictObject({ ...header, keeping: backend })
    .transform(({ keeping, ...rest }): Header => ({ ...rest, backend: keeping })),
]);

export type Line = Header | StoredEvent | { readonly mark: Sum } | { readonly trailer: Sum };

/** @throws If the text is not a line of such a file. */
export const parseLine = (text: string): Line => line.parse(JSON.parse(text));

export const lineText = (it: Line): string => `${JSON.stringify(it)}\n`;

/** The line of an event, its members in a fixed order. */
export const eventLine = ({
  position,
  stream,
  revision,
  id,
  type,
  data,
  meta,
  recordedAt,
}: StoredEvent): string =>
  lineText({ position, stream, revision, id, type, data, meta, recordedAt });

/** The checksum of the lines so far, in file order, newlines included. */
export class Checksum {
  readonly #hash = createHash('sha256');
  #events = 0;
  #position: Position | null = null;

  add(text: string | Buffer): void {
    this.#hash.update(text);
  }

  event(text: string | Buffer, position: Position): void {
    this.add(text);
    this.#events += 1;
    this.#position = position;
  }

  get sum(): Sum {
    return {
      events: this.#events,
      position: this.#position,
      sha256: this.#hash.copy().digest('hex'),
    };
  }

  get events(): number {
    return this.#events;
  }

  get position(): Position | null {
    return this.#position;
  }

  /** Whether a mark must follow the last event. */
  get markIsDue(): boolean {
    return this.#events % EXPORT_MARK_EVENTS === 0;
  }
}

export const isSameSum = (a: Sum, b: Sum): boolean =>
  a.events === b.events && a.position === b.position && a.sha256 === b.sha256;
