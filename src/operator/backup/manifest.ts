/**
 * The parts of a backup. A manifest is not encrypted and contains no secrets, so that backups are
 * listed and expired without the identity. A part is named by the SHA-256 of its encrypted bytes,
 * and may be shared by several backups.
 */
import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const stream = z.strictObject({
  /** Of the uncompressed bytes. */
  sha256,
  bytes: z.int().min(0),
  /** In stream order. */
  parts: z.array(sha256),
});

const table = stream.extend({
  /** Qualified and quoted. */
  name: z.string(),
  /** Quoted. */
  columns: z.array(z.string()),
  rows: z.int().min(0),
  /** `null` if the table is no partition. */
  partition: z.strictObject({ of: z.string(), bound: z.string() }).nullable(),
});

/** A range of the log, in log order. */
const segment = stream.extend({
  after: z.string().nullable(),
  upTo: z.string(),
  events: z.int().min(0),
});

const sequence = z.strictObject({ table: z.string(), column: z.string(), next: z.int().min(1) });

const log = z.strictObject({
  /** Segments are rows of `es.event`; otherwise files of `atrium events export`. */
  isInDatabase: z.boolean(),
  identity: z.guid(),
  /** The last event's position; `null`: the log is empty. */
  position: z.string().nullable(),
  segments: z.array(segment),
});

const manifest = z.strictObject({
  /** The version of this format. */
  atriumBackup: z.literal(1),
  /** Later than that of any earlier backup; see {@link startedAt}. */
  id: z.string(),
  finishedAt: z.iso.datetime(),
  /** The server's release. */
  release: z.string(),
  installation: z.guid().nullable(),
  /** The backup whose parts of the log it shares; `null`: none. */
  previous: z.string().nullable(),
  recipients: z.array(z.string()),
  /** Ids of the keys of `ATRIUM_SECRETS_KEY`, which open the sealed data. */
  secretsKeys: z.array(z.string()),
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.array(sequence),
  log,
  files: z.strictObject({
    count: z.int().min(0),
    bytes: z.int().min(0),
    /** The number of attachments missing or damaged in the store. */
    missing: z.int().min(0),
    /** The part with one line per attachment, in the clear. */
    index: sha256,
  }),
  /** The part with one line per erasure of a person, in the clear; `null`: no erasures. */
  erasures: sha256.nullable().default(null),
});

export type Manifest = z.infer<typeof manifest>;
export type SealedStream = z.infer<typeof stream>;
export type SealedTable = z.infer<typeof table>;
export type Segment = z.infer<typeof segment>;
export type Sequence = z.infer<typeof sequence>;

/**
 * When the backup was started. Its id is that time, or later than it, after a backup that was made
 * while the clock was ahead.
 */
export const startedAt = ({ id, finishedAt }: Manifest): string =>
  id < finishedAt ? id : finishedAt;

/** `null`: not a manifest of a version that this release reads. */
export const manifestIn = (text: string): Manifest | null => {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

/** A line of the index of attachments. */
export interface IndexedFile {
  readonly organisation: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The part with its encrypted bytes; `null`: it was missing or damaged in the store. */
  readonly part: string | null;
}

const indexedFile = z.strictObject({
  organisation: z.string(),
  sha256,
  bytes: z.int().min(0),
  part: sha256.nullable(),
});

/** @throws If the line is invalid. */
export const indexedFileIn = (line: string): IndexedFile => indexedFile.parse(JSON.parse(line));
