/** NDJSON lines from the bytes of a body, bounded in length, number and bytes. */

export interface Line {
  /** From 1, blank lines included. */
  readonly number: number;
  /** Without the line end; `null` for a line that was too long and not kept. */
  readonly json: Buffer | null;
}

export interface LineBounds {
  /** Bound of one line. */
  readonly lineBytesMax: number;
  readonly linesMax: number;
  /** Bound of all lines together. */
  readonly bytesMax: number;
  /** The error when a bound is exceeded; all lines before it have been yielded. */
  readonly tooMuch: (bound: 'lines' | 'bytes') => Error;
}

/** Blank lines are skipped. The last line may lack a line end. */
export async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  { lineBytesMax, linesMax, bytesMax, tooMuch }: LineBounds,
): AsyncGenerator<Line, void, undefined> {
  /** The parts of an incomplete line; a line that is too long is not collected any further. */
  let begun: Buffer[] = [];
  let length = 0;
  let number = 0;
  let total = 0;

  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length > lineBytesMax) begun = [];
    else if (piece.length > 0) begun.push(piece);
  };
  const nextLine = (): Line | null => {
    number += 1;
    if (number > linesMax) throw tooMuch('lines');
    const json = length > lineBytesMax ? null : Buffer.concat(begun);
    [begun, length] = [[], 0];
    return json !== null && isBlank(json) ? null : { number, json };
  };

  for await (const chunk of bytes) {
    total += chunk.length;
    const within = total > bytesMax ? chunk.subarray(0, chunk.length - (total - bytesMax)) : chunk;
    let from = 0;
    for (let at = within.indexOf(NEWLINE); at >= 0; at = within.indexOf(NEWLINE, from)) {
      keep(within.subarray(from, at));
      from = at + 1;
      const line = nextLine();
      if (line !== null) yield line;
    }
    keep(within.subarray(from));
    if (total > bytesMax) throw tooMuch('bytes');
  }
  const last = length > 0 ? nextLine() : null;
  if (last !== null) yield last;
}

const NEWLINE = 0x0a;

const isBlank = (json: Buffer): boolean =>
  json.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
