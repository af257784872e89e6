/**
 * The tokens of a STEP file (ISO 10303-21), found byte by byte as they come. Nothing is kept but
 * the token that goes on.
 */
import { IFC_WORD_BYTES_MAX } from '../../limits.ts';

export type StepTokenKind =
  /** Of the structure: `ISO-10303-21`, `ENDSEC`, `IFCWALL`. */
  | 'keyword'
  /** `#12` */
  | 'reference'
  /** A number, `$`, `*`, `.TRUE.` or `"0F"`. */
  | 'value'
  | 'text'
  | '('
  | ')'
  | ','
  | ';'
  | '=';

export interface StepToken {
  readonly kind: StepTokenKind;
  /** Of keywords and references, and of the beginning of texts. */
  readonly text: string;
  /** Where it begins. */
  readonly line: number;
}

/** What is wrong, and in which line. */
export interface BrokenStep {
  readonly line: number;
  readonly what: string;
}

export interface StepTokens {
  /** Hands on each token that is whole, until one is broken. */
  take(bytes: Uint8Array): BrokenStep | null;
  /** The line that was come to, and whether a token or a comment is unfinished there. */
  end(): { readonly line: number; readonly open: string | null };
}

type State = 'between' | 'word' | 'text' | 'quoted' | 'binary' | 'slash' | 'comment' | 'star';

/** @param next What is wrong with this token in its place, or `null`. */
export const stepTokens = (next: (token: StepToken) => BrokenStep | null): StepTokens => {
  let state: State = 'between';
  let line = 1;
  let began = 1;
  let length = 0;
  const kept = Buffer.alloc(IFC_WORD_BYTES_MAX);

  const keep = (byte: number): BrokenStep | null => {
    if (length < kept.length) kept[length] = byte;
    else if (state === 'word') return { line: began, what: 'a word without end' };
    length += 1;
    return null;
  };

  const begin = (as: State, byte: number) => {
    state = as;
    began = line;
    length = 0;
    return as === 'word' ? keep(byte) : null;
  };

  const finish = (): BrokenStep | null => {
    const was = state;
    state = 'between';
    const text = kept.toString('latin1', 0, Math.min(length, kept.length));
    if (was === 'quoted') return next({ kind: 'text', text, line: began });
    if (was === 'binary') return next({ kind: 'value', text: '', line: began });
    const kind = kindOf(text);
    return kind === null
      ? { line: began, what: `${shown(text)} means nothing` }
      : next({ kind, text, line: began });
  };

  const between = (byte: number): BrokenStep | null => {
    const sign = signs[byte];
    if (sign === 'blank') return null;
    if (sign === 'quote') return begin('text', byte);
    if (sign === 'doubleQuote') return begin('binary', byte);
    if (sign === 'slash') return begin('slash', byte);
    return sign === undefined ? begin('word', byte) : next({ kind: sign, text: '', line });
  };

  const steps: Readonly<Record<State, (byte: number) => BrokenStep | null>> = {
    between,
    word: (byte) => (signs[byte] === undefined ? keep(byte) : (finish() ?? between(byte))),
    text: (byte) => {
      if (signs[byte] !== 'quote') return keep(byte);
      state = 'quoted';
      return null;
    },
    // A quote within a text is doubled.
    quoted: (byte) => {
      if (signs[byte] !== 'quote') return finish() ?? between(byte);
      state = 'text';
      return keep(byte);
    },
    binary: (byte) => (signs[byte] === 'doubleQuote' ? finish() : null),
    slash: (byte) => {
      if (byte !== STAR) return { line, what: '/ means nothing' };
      state = 'comment';
      return null;
    },
    comment: (byte) => {
      if (byte === STAR) state = 'star';
      return null;
    },
    star: (byte) => {
      if (byte !== STAR) state = signs[byte] === 'slash' ? 'between' : 'comment';
      return null;
    },
  };

  return {
    take(bytes) {
      for (const byte of bytes) {
        const broken = steps[state](byte);
        if (broken) return broken;
        if (byte === NEWLINE) line += 1;
      }
      return null;
    },
    end() {
      const open = unfinished[state];
      return { line, open: open && `${open} that began in line ${began}` };
    },
  };
};

const unfinished: Readonly<Record<State, string | null>> = {
  between: null,
  word: null,
  text: 'a text',
  quoted: null,
  binary: 'a binary',
  slash: 'a comment',
  comment: 'a comment',
  star: 'a comment',
};

const kindOf = (word: string): StepTokenKind | null => {
  if (/^#\d+$/.test(word)) return 'reference';
  if (/^([$*]|\.[A-Z0-9_]+\.|[+-]?\d+(\.\d*)?(E[+-]?\d+)?)$/i.test(word)) return 'value';
  return /^!?[A-Z_][A-Z0-9_-]*$/i.test(word) ? 'keyword' : null;
};

/** A word of a file, as a message quotes it. */
export const shown = (word: string): string => JSON.stringify(word.slice(0, WORD_SHOWN_MAX));

const WORD_SHOWN_MAX = 40;
const NEWLINE = 0x0a;
const STAR = 0x2a;

type Sign = 'blank' | 'quote' | 'doubleQuote' | 'slash' | '(' | ')' | ',' | ';' | '=';

const signOf = (byte: number): Sign | undefined => {
  const character = String.fromCharCode(byte);
  if (character === "'") return 'quote';
  if (character === '"') return 'doubleQuote';
  if (character === '/') return 'slash';
  if (byte <= 0x20) return 'blank';
  return '(),;='.includes(character) ? (character as '(' | ')' | ',' | ';' | '=') : undefined;
};

/** By byte; `undefined` for what words are made of. */
const signs: readonly (Sign | undefined)[] = Array.from({ length: 256 }, (_, byte) => signOf(byte));
