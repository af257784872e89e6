/**
 * Rewrites a STEP file so that the library reads it correctly. The library drops a text with an
 * unknown backslash sequence, loses letters after bytes that are not UTF-8, and shifts all
 * attributes after a `*` that is not a derived value.
 */
import type { MisreadToken } from './step-check.ts';
import { decodeStepText, encodeStepText } from './step-text.ts';

export interface RepairedFile {
  readonly file: Uint8Array;
  /** Flaws that could not be repaired, by line; the first {@link WARNINGS_MAX}. */
  readonly warnings: readonly string[];
}

/** @param misread The file's misread tokens, in its order. */
export const repairedStep = (file: Buffer, misread: readonly MisreadToken[]): RepairedFile => {
  if (misread.length === 0) return { file, warnings: [] };
  const pieces: Uint8Array[] = [];
  const flaws: string[] = [];
  let copied = 0;
  for (const token of misread) {
    const { text, flaw } = repaired(file, token);
    pieces.push(file.subarray(copied, token.start), Buffer.from(text));
    copied = token.end;
    if (flaw !== null && !token.inHeader) flaws.push(`line ${token.line}: ${flaw}`);
  }
  pieces.push(file.subarray(copied));
  const more = flaws.length - WARNINGS_MAX;
  return {
    file: Buffer.concat(pieces),
    warnings: [...flaws.slice(0, WARNINGS_MAX), ...(more > 0 ? [`and ${more} more`] : [])],
  };
};

const WARNINGS_MAX = 20;

const repaired = (
  file: Buffer,
  { kind, start, end }: MisreadToken,
): { readonly text: string; readonly flaw: string | null } => {
  if (kind === 'derived')
    return { text: '$', flaw: 'a * for an attribute that is not derived; read as $' };
  const { text, flaw } = decodeStepText(file.subarray(start + 1, end - 1));
  return { text: `'${encodeStepText(text)}'`, flaw: flaw && `a text has ${flaw}` };
};
