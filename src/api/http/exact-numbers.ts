/**
 * Detects numbers in JSON that a double cannot represent, in the body's text, because the parsed
 * value has lost them already. contract.md section 1.
 */
import { ERRORS_NAMED_MAX } from '../../limits.ts';
import type { FieldError } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Members of the body, as `metadata` or `ticket.metadata` and all of the same depth, whose
     * numbers belong to the caller: one that would be altered is refused. Default: none.
     */
    exactNumbersIn?: readonly string[];
  }
}

/**
 * The first numbers under the members `within` that change when they are parsed to a double and
 * printed again.
 *
 * @param json Valid JSON, because it has been parsed before.
 */
export const alteredNumbers = (
  json: string,
  within: readonly string[] = [],
): readonly FieldError[] => {
  const depthWatched = within[0]?.split('.').length ?? 0;
  if (depthWatched === 0) return [];
  const found: FieldError[] = [];
  const open: Level[] = [];
  let watching = false;
  let textStart = 0;
  let textEnd = 0;

  for (let at = 0; at < json.length && found.length < ERRORS_NAMED_MAX;) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      textStart = at;
      at = textEnd = endOfText(json, at);
      continue;
    }
    if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(json, at);
      if (watching && !isExact(json.slice(at, end)))
        found.push({
          path: pathOf(json, open),
          message: 'cannot be stored exactly: send it as text',
        });
      at = end;
      continue;
    }
    const level = open.at(-1);
    if (code === COLON && level) {
      level.nameStart = textStart;
      level.nameEnd = textEnd;
      if (open.length <= depthWatched) watching = within.includes(pathOf(json, open));
    } else if (code === COMMA && level) level.index += 1;
    else if (code === BRACE || code === BRACKET) open.push({ nameStart: 0, nameEnd: 0, index: 0 });
    else if (code === BRACE_END || code === BRACKET_END) open.pop();
    at += 1;
  }
  return found;
};

/** An open object or list, with the member that is being read. */
interface Level {
  /** Range of the member's name in the text; in a list, 0 and 0. */
  nameStart: number;
  nameEnd: number;
  index: number;
}

/** Whether a number is equal to the printed form of its double. */
export const isExact = (source: string): boolean => {
  if (source.length < DIGITS_SAFE && Math.abs(scaleOf(source)) < SCALE_SAFE) return true;
  const value = Number(source);
  return Number.isFinite(value) && normalOf(source) === normalOf(String(value));
};

/** Fewer digits than this, at a normal scale, always survive the conversion to a double. */
const DIGITS_SAFE = 16;
const SCALE_SAFE = 280;

const scaleOf = (source: string): number => {
  const at = Math.max(source.indexOf('e'), source.indexOf('E'));
  return at < 0 ? 0 : Number(source.slice(at + 1));
};

/** The normal form of a number: its digits without outer zeros, and the scale. */
const normalOf = (source: string): string => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?/.exec(source) ?? [];
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === '0') first += 1;
  let end = digits.length;
  while (end > first && digits[end - 1] === '0') end -= 1;
  if (first === end) return '0';
  const zeros = digits.length - end;
  return `${sign}${digits.slice(first, end)}e${scaleOf(source) - fraction.length + zeros}`;
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const endOfText = (json: string, start: number): number => {
  let at = start + 1;
  for (let code = json.charCodeAt(at); code !== QUOTE; code = json.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at + 1;
};

const endOfNumber = (json: string, start: number): number => {
  let at = start + 1;
  for (let code = json.charCodeAt(at); isOfNumber(code); code = json.charCodeAt(at)) at += 1;
  return at;
};

const isOfNumber = (code: number): boolean => isDigit(code) || ofNumbers.has(code);

const ofNumbers: ReadonlySet<number> = new Set(
  Array.from('+-.Ee', (character) => character.charCodeAt(0)),
);

/** `metadata.list[2].count`. */
const pathOf = (json: string, open: readonly Level[]): string =>
  open
    .map(({ nameStart, nameEnd, index }) =>
      nameEnd === 0 ? `[${index}]` : `.${String(JSON.parse(json.slice(nameStart, nameEnd)))}`,
    )
    .join('')
    .replace(/^\./, '');
