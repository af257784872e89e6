/**
 * The port of the bytes of files: content-addressed, per organisation, outside the log. What it
 * promises is `test/contract/files/file-store.contract.ts`. design.md decision 25.
 */
export interface FileStore {
  /**
   * Receives a file under a temporary name. Resolves when its bytes are durable; they are not
   * readable before {@link ReceivedFile.keep}. What was received by a failure is removed.
   *
   * @throws What `chunks` throws.
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /**
   * The bytes from `start` to `end`, both inclusive; the whole file without a range.
   *
   * @throws {@link FileMissing}
   */
  open(file: FileName, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Idempotent. */
  remove(file: FileName): Promise<void>;
  /** Removes unfinished files that are older. @returns How many. */
  removeUnfinished(olderThanMs: number): Promise<number>;
}

export interface ReceivedFile {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /**
   * Makes it readable, and resolves when that is durable. The same bytes of the same organisation
   * are stored once.
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
