/**
 * The text between the quotes of a STEP file, decoded. ISO 10303-21, section 6.4.3.
 *
 * Exporters write malformed directives, unescaped backslashes and bytes that are not UTF-8. All of
 * them are decoded as far as possible, and the rest is reported.
 */

export interface DecodedText {
  readonly text: string;
  /** The repaired flaw, or `null`. */
  readonly flaw: string | null;
}

/** @param raw The bytes between the quotes, as they are in the file. */
export const decodeStepText = (raw: Uint8Array): DecodedText => {
  const { text: encoded, flaw: encoding } = decodeBytes(raw);
  let text = '';
  let flaw = encoding;
  let page = 1;
  for (let at = 0; at < encoded.length;) {
    const character = encoded[at]!;
    if (character === "'") {
      // A quote within a text is doubled.
      text += character;
      at += encoded[at + 1] === "'" ? 2 : 1;
      continue;
    }
    if (character !== '\\') {
      text += character;
      at += 1;
      continue;
    }
    const directive = directiveAt(encoded, at, page);
    text += directive.text;
    flaw ??= directive.flaw ?? null;
    page = directive.page ?? page;
    at += directive.length;
  }
  return text.isWellFormed()
    ? { text, flaw }
    : { text: text.toWellFormed(), flaw: flaw ?? 'half of a surrogate pair' };
};

/** Encodes text for between quotes, so that every STEP reader decodes it alike. */
export const encodeStepText = (text: string): string =>
  text.replaceAll('\\', String.raw`\X\5C`).replaceAll("'", "''");

/** Part 21 allows only ASCII. Newer files are UTF-8; others are assumed to be Windows-1252. */
const decodeBytes = (raw: Uint8Array): DecodedText => {
  try {
    return { text: utf8.decode(raw), flaw: null };
  } catch {
    return { text: latin1.decode(raw), flaw: 'bytes that are not UTF-8; read as Latin-1' };
  }
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder('windows-1252');

interface Directive {
  readonly text: string;
  /** Length in characters of the file. */
  readonly length: number;
  readonly flaw?: string;
  /** The part of ISO 8859 that `\S\` refers to from here on. */
  readonly page?: number;
}

/** The directive that begins at this backslash; a backslash that begins none is itself. */
const directiveAt = (encoded: string, at: number, page: number): Directive => {
  const rest = encoded.slice(at, at + LONGEST_START);
  if (rest.startsWith('\\\\')) return { text: '\\', length: 2 };
  const wide = /^\\X([24])\\/i.exec(rest);
  if (wide) return wideText(encoded, at, wide[1] === '2' ? 4 : 8);
  const byte = /^\\X\\([0-9a-f]{2})/i.exec(rest);
  if (byte) return { text: String.fromCharCode(Number.parseInt(byte[1]!, 16)), length: 5 };
  const shifted = /^\\S\\([\x20-\x7e])/.exec(rest);
  if (shifted) return { text: inPage(page, shifted[1]!), length: 4 };
  const alphabet = /^\\P([A-I])\\/.exec(rest);
  if (alphabet) return { text: '', length: 4, page: alphabet[1]!.charCodeAt(0) - 64 };
  // These directives break lines of the file, not of the text.
  if (/^\\[NF]\\/.test(rest)) return { text: '', length: 3 };
  if (/^\\X\\/i.test(rest)) return { text: '', length: 3, flaw: 'a malformed \\X\\' };
  return { text: '\\', length: 1 };
};

const LONGEST_START = 5;

/** `\X2\00FC\X0\`: groups of hexadecimal digits up to `\X0\`. */
const wideText = (encoded: string, at: number, digits: 4 | 8): Directive => {
  const name = digits === 4 ? '\\X2\\' : '\\X4\\';
  let end = at + name.length;
  let text = '';
  for (;;) {
    const group = encoded.slice(end, end + digits);
    if (group.length < digits || !HEXADECIMAL.test(group)) break;
    const code = Number.parseInt(group, 16);
    text += digits === 4 ? String.fromCharCode(code) : codePoint(code);
    end += digits;
  }
  // An incomplete group of digits is ignored; the text continues after it.
  const ended = /^[0-9a-f]{0,7}?\\X0\\/i.exec(encoded.slice(end, end + digits + END.length));
  if (ended) end += ended[0].length;
  const whole = ended?.[0].length === END.length && !text.includes('\ufffd');
  return { text, length: end - at, ...(whole ? {} : { flaw: `a malformed ${name}` }) };
};

const END = '\\X0\\';
const HEXADECIMAL = /^[0-9a-f]+$/i;

const codePoint = (code: number): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';

const inPage = (page: number, character: string): string =>
  new TextDecoder(`iso-8859-${page}`).decode(Uint8Array.of(character.charCodeAt(0) + 0x80));
