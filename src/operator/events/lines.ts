import { EVENT_LINE_BYTES_MAX } from '../limits.ts';

/** Complete lines, each with its newline; the last item may be a line without one. */
export interface Lines {
  readonly lines: readonly Buffer[];
  readonly torn: Buffer | null;
}

/**
 * Splits bytes into lines only at newlines, because text in JSON may contain Unicode's other line
 * separators.
 *
 * @throws {RangeError} for a line longer than {@link EVENT_LINE_BYTES_MAX}.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Lines> {
  /** The chunks of an incomplete line. */
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at + 1);
      lines.push(begun.length === 0 ? piece : Buffer.concat([...begun, piece]));
      begun = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) {
      begun.push(chunk.subarray(from));
      bytes += chunk.length - from;
      if (bytes > EVENT_LINE_BYTES_MAX) throw new RangeError('a line without an end');
    }
    if (lines.length > 0) yield { lines, torn: null };
  }
  if (bytes > 0) yield { lines: [], torn: Buffer.concat(begun) };
}

const NEWLINE = 0x0a;
