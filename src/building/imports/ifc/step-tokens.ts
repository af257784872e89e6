/**
 * The tokens of a STEP file (ISO 10303-21), found byte by byte as they arrive. Only the current
 * token is buffered.
 */
import { IFC_WORD_BYTES_MAX } from '../limits.ts';

export type StepTokenKind =
  /** `ISO-10303-21`, `ENDSEC`, `IFCWALL` */
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
  /** The whole keyword or reference, or the beginning of a text. */
  readonly text: string;
  /** Its first line. */
  readonly line: number;
  /** Offset of its first byte in the file; of a text, of the opening quote. */
  readonly start: number;
  /** Offset behind its last byte; of a text, behind the closing quote. */
  readonly end: number;
  /** A text that has a backslash, or a byte that is not ASCII. */
  readonly encoded: boolean;
}

/** The error and its line. */
export interface BrokenStep {
  readonly line: number;
  readonly what: string;
}

export interface StepTokens {
  /** Passes on each complete token until one is broken. */
  take(bytes: Uint8Array): BrokenStep | null;
  /** The last line, and the token or comment that is unfinished there; `null`: none. */
  end(): { readonly line: number; readonly open: string | null };
}

type State = 'between' | 'word' | 'text' | 'quoted' | 'binary' | 'slash' | 'comment' | 'star';

/** @param next The error of this token at its position, or `null`. */
export const stepTokens = (next: (token: StepToken) => BrokenStep | null): StepTokens => {
  let state: State = 'between';
  let line = 1;
  let began = 1;
  let length = 0;
  let position = 0;
  let start = 0;
  let encoded = false;
  let shift = 0;
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
    start = position;
    length = 0;
    encoded = false;
    shift = 0;
    return as === 'word' ? keep(byte) : null;
  };

  const finish = (): BrokenStep | null => {
    const was = state;
    state = 'between';
    const text = kept.toString('latin1', 0, Math.min(length, kept.length));
    const place = { line: began, start, end: position, encoded };
    if (was === 'quoted') return next({ kind: 'text', text, ...place });
    if (was === 'binary') return next({ kind: 'value', text: '', ...place });
    const kind = kindOf(text);
    if (kind === null) return { line: began, what: `${quoted(text)} is not a valid token` };
    if (kind === 'reference' && isTooLarge(text.slice(1))) {
      return { line: began, what: `${quoted(text)} is larger than ${INSTANCE_NUMBER_MAX}` };
    }
    return next({ kind, text, ...place });
  };

  const between = (byte: number): BrokenStep | null => {
    const sign = signs[byte];
    if (sign === 'blank') return null;
    if (sign === 'quote') return begin('text', byte);
    if (sign === 'doubleQuote') return begin('binary', byte);
    if (sign === 'slash') return begin('slash', byte);
    if (sign === undefined) return begin('word', byte);
    const place = { line, start: position, end: position + 1, encoded: false };
    return next({ kind: sign, text: '', ...place });
  };

  const within = (byte: number): BrokenStep | null => {
    // After `\S\` follows the shifted letter, which may be a quote.
    if (signs[byte] === 'quote' && shift !== SHIFT.length) {
      state = 'quoted';
      return null;
    }
    if (shift === SHIFT.length || (shift === 1 && byte === SHIFT[0])) shift = 0;
    else shift = byte === SHIFT[shift] ? shift + 1 : 0;
    encoded ||= byte === SHIFT[0] || byte > ASCII_MAX;
    return keep(byte);
  };

  const steps: Readonly<Record<State, (byte: number) => BrokenStep | null>> = {
    between,
    word: (byte) => (signs[byte] === undefined ? keep(byte) : (finish() ?? between(byte))),
    text: within,
    // A quote within a text is doubled.
    quoted: (byte) => {
      if (signs[byte] !== 'quote') return finish() ?? between(byte);
      state = 'text';
      shift = 0;
      return keep(byte);
    },
    binary: (byte) => (signs[byte] === 'doubleQuote' ? finish() : null),
    slash: (byte) => {
      if (byte !== STAR) return { line, what: '/ is not a valid token' };
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
        if (position >= BYTE_ORDER_MARK.length || byte !== BYTE_ORDER_MARK[position]) {
          const broken = steps[state](byte);
          if (broken) return broken;
          if (byte === NEWLINE) line += 1;
        }
        position += 1;
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

/** The library reads larger numbers modulo 2^32, as those of other instances. */
const INSTANCE_NUMBER_MAX = 0xff_ff_ff_ff;

const isTooLarge = (digits: string): boolean =>
  digits.length >= 10 && Number(digits) > INSTANCE_NUMBER_MAX;

/** A word of a file, quoted for a message. */
export const quoted = (word: string): string => JSON.stringify(word.slice(0, WORD_SHOWN_MAX));

const WORD_SHOWN_MAX = 40;
const NEWLINE = 0x0a;
const STAR = 0x2a;
const ASCII_MAX = 0x7f;
const SHIFT = Buffer.from('\\S\\');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

type Sign = 'blank' | 'quote' | 'doubleQuote' | 'slash' | '(' | ')' | ',' | ';' | '=';

const signOf = (byte: number): Sign | undefined => {
  const character = String.fromCharCode(byte);
  if (character === "'") return 'quote';
  if (character === '"') return 'doubleQuote';
  if (character === '/') return 'slash';
  if (byte <= 0x20) return 'blank';
  return '(),;='.includes(character) ? (character as '(' | ')' | ',' | ';' | '=') : undefined;
};

/** By byte; `undefined` for characters of words. */
const signs: readonly (Sign | undefined)[] = Array.from({ length: 256 }, (_, byte) => signOf(byte));
