/**
 * The bounds of a JSON document, checked byte by byte while it arrives, so that a hostile one is
 * refused before it is stored, parsed or validated. Repeated members are refused here as well: the
 * parser would silently take the last one.
 */
import {
  IMPORT_DEPTH_MAX,
  IMPORT_MEMBERS_MAX,
  IMPORT_POSITIONS_MAX,
  IMPORT_TEXT_BYTES_MAX,
} from '../limits.ts';
import { IMPORT_NODES_MAX } from '../../../domain/buildings/limits.ts';
import { refuse, type Refusal } from '../../../engine/aggregates/decider.ts';

export interface JsonBounds {
  /** Checks the next bytes. After a refusal nothing more is checked. */
  take(bytes: Uint8Array): Refusal | null;
}

/** The building and its site are objects in addition to the nodes. */
const OBJECTS_MAX = IMPORT_NODES_MAX + 3;

export const jsonBounds = (): JsonBounds => {
  /**
   * The open containers, outermost first: the members of an object, by name, or a mark for an
   * array.
   */
  const open: (Set<string | number> | typeof ARRAY)[] = [];
  /** The beginning of the last text, as written. */
  const name = Buffer.alloc(MEMBER_NAME_BYTES_MAX);
  let objects = 0;
  /** Number of nested lists: rings and positions of outlines. */
  let innerLists = 0;
  let line = 1;
  let inText = false;
  let escaped = false;
  /** Length of the current text, number or word. */
  let bytes = 0;
  /** Length of the last text. */
  let nameBytes = 0;

  const broken = (what: string) => {
    const message = `line ${line}: ${what}`;
    return refuse('VALIDATION_FAILED', message, { errors: [{ path: '', message }] });
  };

  const begin = (byte: number): Refusal | null => {
    const isObject = byte === OBJECT;
    if (open.length === 0 && !isObject) return broken('the document must be an object');
    if (open.at(-1) === ARRAY && !isObject && ++innerLists > IMPORT_POSITIONS_MAX) {
      return refuse(
        'PAYLOAD_TOO_LARGE',
        `The document has more than ${IMPORT_POSITIONS_MAX} positions.`,
      );
    }
    if (isObject && ++objects > OBJECTS_MAX) {
      return refuse('PAYLOAD_TOO_LARGE', `The document has more than ${IMPORT_NODES_MAX} nodes.`);
    }
    if (open.length >= IMPORT_DEPTH_MAX) {
      return broken(`nested deeper than ${IMPORT_DEPTH_MAX} levels`);
    }
    open.push(isObject ? new Set() : ARRAY);
    return null;
  };

  const member = (): Refusal | null => {
    const members = open.at(-1);
    if (members === undefined || members === ARRAY) return null;
    if (members.size >= IMPORT_MEMBERS_MAX) {
      return broken(`an object of more than ${IMPORT_MEMBERS_MAX} members`);
    }
    // A longer name is unknown, and refused as such later.
    const isLong = nameBytes > MEMBER_NAME_BYTES_MAX;
    const added = isLong ? members.size : nameIn(name.toString('utf8', 0, nameBytes));
    if (members.has(added)) return broken(`${JSON.stringify(added)} occurs twice in an object`);
    members.add(added);
    return null;
  };

  /** Only positions are lists of numbers, and they are nested in lists. */
  const scalar = (isNumber: boolean): Refusal | null => {
    if (open.length === 0) return broken('the document must be an object');
    const isPosition = isNumber && open.at(-2) === ARRAY;
    return open.at(-1) === ARRAY && !isPosition ? broken('a list holds objects alone') : null;
  };

  const longer = (): Refusal | null =>
    ++bytes > IMPORT_TEXT_BYTES_MAX
      ? broken(`a text of more than ${IMPORT_TEXT_BYTES_MAX} bytes`)
      : null;

  const textByte = (byte: number): Refusal | null => {
    if (escaped) escaped = false;
    else if (byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) {
      inText = false;
      nameBytes = bytes;
    }
    if (bytes < MEMBER_NAME_BYTES_MAX) name[bytes] = byte;
    return longer();
  };

  const beginWord = (): Refusal | null => (bytes === 0 ? scalar(true) : null) ?? longer();

  const plainByte = (byte: number): Refusal | null => {
    const kind = kinds[byte];
    if (kind === 'word') return beginWord();
    bytes = 0;
    if (kind === undefined) return null;
    if (kind === 'quote') {
      inText = true;
      return scalar(false);
    }
    if (kind === 'open') return begin(byte);
    if (kind === 'colon') return member();
    open.pop();
    return null;
  };

  return {
    take(chunk) {
      for (const byte of chunk) {
        if (byte === NEWLINE) line += 1;
        const refusal = inText ? textByte(byte) : plainByte(byte);
        if (refusal) return refusal;
      }
      return null;
    },
  };
};

const ARRAY = -1;
const MEMBER_NAME_BYTES_MAX = 64;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;

/** A name as written → the name; a malformed one stays as it is for the parser to refuse. */
const nameIn = (written: string): string => {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
};

type Kind = 'quote' | 'open' | 'close' | 'colon' | 'word';

const kindOf = (byte: number): Kind | undefined => {
  const character = String.fromCharCode(byte);
  if (character === '"') return 'quote';
  if ('{['.includes(character)) return 'open';
  if ('}]'.includes(character)) return 'close';
  if (character === ':') return 'colon';
  return byte >= 0x80 || ' \t\r\n,'.includes(character) ? undefined : 'word';
};

/** By byte; `undefined` for blanks, commas, and characters that JSON allows only in texts. */
const kinds: readonly (Kind | undefined)[] = Array.from({ length: 256 }, (_, byte) => kindOf(byte));
