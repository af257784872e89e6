import { DependencyUnavailable } from '../engine/processes/outcome.ts';

/**
 * The port of the bytes of files: content-addressed, per organisation, outside the log. Its
 * contract is `test/contract/files/file-store.contract.ts`. design.md decision 25.
 */
export interface FileStore {
  /**
   * Receives a file. Its bytes are durable and readable after {@link ReceivedFile.keep}, not
   * before. After a failure the received bytes are removed.
   *
   * @throws What `chunks` throws.
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /**
   * The bytes from `start` to `end`, both inclusive; the whole file without a range.
   *
   * @throws {@link FileMissing}, {@link FilesUnavailable}; so does reading.
   */
  open(file: FileName, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Idempotent. @throws {@link FilesUnavailable} */
  remove(file: FileName): Promise<void>;
  /** Removes unfinished files that are older. @returns How many. */
  removeUnfinished(olderThanMs: number): Promise<number>;
  /**
   * Pages of the stored files, each by its key (`fileKeyOf`), in the order of their characters.
   *
   * @param after Only those after this key.
   * @throws {@link FilesUnavailable}
   */
  stored(after?: string): AsyncIterable<readonly string[]>;
  /** Whether files can be stored, or why not, as it was a few seconds ago. */
  ready(): Promise<true | string>;
}

export interface ReceivedFile {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** The bytes, until it is kept or discarded. May be called again. */
  read(): AsyncIterable<Uint8Array>;
  /**
   * Makes it readable, and resolves when that is durable. The same bytes of the same organisation
   * are stored once.
   *
   * @throws {@link FilesUnavailable}
   */
  keep(organisation: string): Promise<void>;
  /** Removes the bytes, unless they were kept. Idempotent. */
  discard(): Promise<void>;
}

export interface FileName {
  readonly organisation: string;
  readonly sha256: string;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The stores of a process: one for each platform in it, the sandboxes included. */
export interface FileStores {
  /** The store of a platform, by a name of letters, digits, `_` and `-`. */
  of(platform: string): FileStore;
  /**
   * Copies all files of a platform's store, which belong to one organisation, into another store,
   * as they are. Idempotent.
   *
   * @param signal Begins no further file: rejects with its reason. Default: none.
   * @throws {@link FilesUnavailable}
   */
  copy(from: string, to: string, organisation: string, signal?: AbortSignal): Promise<void>;
  /** Removes a platform's store with all its files. Idempotent. */
  drop(platform: string): Promise<void>;
  /** The platforms that have stored anything. */
  names(): Promise<readonly string[]>;
}

/** The store has no file of this name. */
export class FileMissing extends Error {
  constructor({ sha256 }: FileName) {
    super(`the file store has no ${sha256}`);
    this.name = 'FileMissing';
  }
}

/** The store cannot be reached, or refuses the operation. */
export class FilesUnavailable extends DependencyUnavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FilesUnavailable';
  }
}
