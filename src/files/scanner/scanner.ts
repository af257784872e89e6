/** The port of a malware scanner for files. docs/decisions/0102. */
export interface Scanner {
  /**
   * @param read Gives the bytes; called again where the scanner is lost meanwhile.
   * @returns The name of what was found; `null`: nothing.
   * @throws {@link ScannerUnavailable}, and what reading throws.
   */
  scan(read: () => AsyncIterable<Uint8Array>): Promise<string | null>;
  /** Whether it answers, or why not, as it was a few seconds ago. Never rejects. */
  ready(): Promise<true | string>;
}

/** The file has not been scanned: the scanner is unreachable, or refuses files of its size. */
export class ScannerUnavailable extends Error {
  override name = 'ScannerUnavailable';
}
