/**
 * Checks that a STEP file is complete, well-formed and of a supported schema. The library silently
 * reads parts of broken or truncated files, so each file is checked first, while it arrives. ISO
 * 10303-21.
 */
import { refuse, type Refusal } from '../../../engine/aggregates/decider.ts';
import { IFC_DEPTH_MAX, IFC_INSTANCES_MAX, SHAPE_VALUES_MAX } from '../limits.ts';
import { quoted, stepTokens, type BrokenStep, type StepToken } from './step-tokens.ts';

export interface StepCheck {
  /** Checks the next bytes. After a refusal nothing more is checked. */
  take(bytes: Uint8Array): Refusal | null;
  end(): Refusal | null;
  /** Tokens that the library misreads unless they are rewritten, in the order of the file. */
  readonly misread: readonly MisreadToken[];
  /** Numbers (`#12`) of instances with more than {@link SHAPE_VALUES_MAX} values. */
  readonly large: ReadonlySet<number>;
}

/** A text to be decoded, or a `*` that is not a derived value. */
export interface MisreadToken extends Pick<StepToken, 'line' | 'start' | 'end'> {
  readonly kind: 'text' | 'derived';
  /** In the header, of which only the schema is read. */
  readonly inHeader: boolean;
}

/** Types with derived attributes, which are written as `*`. */
const derivingTypes: ReadonlySet<string> = new Set([
  'IFCSIUNIT',
  'IFCORIENTEDEDGE',
  'IFCGEOMETRICREPRESENTATIONSUBCONTEXT',
  'IFCMIRROREDPROFILEDEF',
]);

/** The current part of the file, which ends with the keyword of the next part. */
type Part = 'start' | 'header' | 'gap' | 'data' | 'after' | 'end';

/** The statements of each part, other than instances → the next part. */
const structure: Readonly<Record<Part, Readonly<Record<string, Part>>>> = {
  start: { 'ISO-10303-21': 'header' },
  header: { HEADER: 'header', ENDSEC: 'gap' },
  gap: { DATA: 'data' },
  data: { ENDSEC: 'after' },
  after: { DATA: 'data', 'END-ISO-10303-21': 'end' },
  end: {},
};

const broken = (line: number, what: string): BrokenStep => ({ line, what });

export const stepCheck = (): StepCheck => {
  let part: Part = 'start';
  let tooMany = false;
  let statement = freshStatement();
  let schema: string | null = null;
  let signature = '';
  const misread: MisreadToken[] = [];
  const large = new Set<number>();
  const seen = new Set<number>();

  const endOf = ({ line }: StepToken): BrokenStep | null => {
    const { shape, keyword, number, values } = statement;
    const isSchema = keyword === 'FILE_SCHEMA';
    statement = freshStatement();
    if (shape === 'k' || (part === 'gap' && shape === 'k()')) {
      const next = structure[part][keyword];
      if (next === undefined) return broken(line, `${quoted(keyword)} has no place here`);
      part = next;
      return null;
    }
    if (part === 'header' && shape === 'k()') {
      return isSchema && !isReadable(schema)
        ? broken(line, `the schema is ${quoted(schema ?? '')}; ${SCHEMAS_READ} are read`)
        : null;
    }
    if (part !== 'data' || shape !== '#=k()') return broken(line, 'this is no instance');
    if (number === 0) return broken(line, '#0 is not a valid instance number');
    if (seen.has(number)) return broken(line, `#${number} is defined twice`);
    seen.add(number);
    if (values > SHAPE_VALUES_MAX) large.add(number);
    tooMany ||= seen.size > IFC_INSTANCES_MAX;
    return null;
  };

  const next = (token: StepToken): BrokenStep | null => {
    if (part === 'start' && statement.shape === '' && token.text !== 'ISO-10303-21') {
      return broken(token.line, 'begins otherwise');
    }
    if (token.kind === 'text' && statement.keyword === 'FILE_SCHEMA') schema ??= token.text;
    const kind = misreadAs(token, statement.keyword);
    if (kind) {
      const { line, start, end } = token;
      misread.push({ kind, line, start, end, inHeader: part === 'header' });
    }
    if (statement.depth === 0 && token.kind === ';') return endOf(token);
    return statement.take(token) ?? (part === 'data' ? caseFault(token) : null);
  };

  const tokens = stepTokens(next);

  const refusal = (wrong: BrokenStep | null): Refusal | null => {
    if (tooMany) {
      return refuse('PAYLOAD_TOO_LARGE', `The file has more than ${IFC_INSTANCES_MAX} instances.`);
    }
    if (!wrong) return null;
    // For a file of another format, the message names the format instead of the first word.
    const message = `line ${wrong.line}: ${part === 'start' ? otherFormat(signature) : wrong.what}`;
    return refuse('VALIDATION_FAILED', message, { errors: [{ path: '', message }] });
  };

  return {
    misread,
    large,
    take(bytes) {
      const missing = SIGNATURE_CHARACTERS - signature.length;
      if (missing > 0) signature += Buffer.from(bytes.subarray(0, missing)).toString('latin1');
      return refusal(tokens.take(bytes));
    },
    end() {
      // Frees tens of megabytes, before the library reads the file.
      seen.clear();
      const { line, open } = tokens.end();
      if (part === 'end' && open === null) {
        return schema === null ? refusal(broken(line, 'the header names no schema')) : null;
      }
      const early = 'the file ends before END-ISO-10303-21';
      return refusal(broken(line, open === null ? early : `${early}, in ${open}`));
    },
  };
};

/** The supported schemas, for messages. */
export const SCHEMAS_READ = 'IFC2X3, IFC4 and IFC4X3';

const isReadable = (schema: string | null): boolean => /^IFC(2X3|4)/i.test(schema ?? '');

const misreadAs = (
  { kind, text, encoded }: StepToken,
  type: string,
): MisreadToken['kind'] | null => {
  if (kind === 'text') return encoded ? 'text' : null;
  return kind === 'value' && text === '*' && !derivingTypes.has(type) ? 'derived' : null;
};

const SIGNATURE_CHARACTERS = 4;

/** Names a known format that is not supported. */
const otherFormat = (signature: string): string => {
  if (signature.startsWith('PK')) {
    return 'this is a ZIP archive (ifcZIP): unpack it and send the .ifc file in it';
  }
  if (signature.includes('<')) return 'this is XML (ifcXML): export the model as STEP (.ifc)';
  return 'this is no STEP file: it does not begin with ISO-10303-21';
};

/** The next token: a value, a value or the end of the list, a comma or the end, or `(`. */
type Expected = 'value' | 'first' | 'separator' | 'list';

interface Statement {
  /** Depth of nested lists. */
  depth: number;
  /** The statement outside of lists: `#` a reference, `=`, `k` a keyword, `()` a list. */
  shape: string;
  /** The first keyword outside of lists. */
  keyword: string;
  /** The number of `#12`; NaN until it is read. */
  number: number;
  /** Numbers and references in its lists. */
  values: number;
  take(token: StepToken): BrokenStep | null;
}

const freshStatement = (): Statement => {
  let expected: Expected = 'value';
  let last: StepToken | null = null;

  const statement: Statement = {
    depth: 0,
    shape: '',
    keyword: '',
    number: Number.NaN,
    values: 0,
    take(token) {
      const wrong = statement.depth === 0 ? outside(token) : inside(token);
      last = token;
      return wrong;
    },
  };

  const open = ({ line }: StepToken): BrokenStep | null => {
    statement.depth += 1;
    expected = 'first';
    return statement.depth > IFC_DEPTH_MAX
      ? broken(line, `lists within lists, deeper than ${IFC_DEPTH_MAX}`)
      : null;
  };

  const outside = (token: StepToken): BrokenStep | null => {
    const { kind, line, text } = token;
    const piece = pieces[kind];
    if (piece === undefined || !beginnings.has(statement.shape + piece)) {
      return broken(line, `${kind === 'keyword' ? quoted(text) : `a ${kind}`} has no place here`);
    }
    statement.shape += piece;
    if (kind === 'keyword') statement.keyword = text;
    if (kind === 'reference') statement.number = Number(text.slice(1));
    return kind === '(' ? open(token) : null;
  };

  const inside = (token: StepToken): BrokenStep | null => {
    const { kind, line } = token;
    if (kind === '(' && expected !== 'separator') return open(token);
    if (expected === 'list') return broken(line, 'a type without its value');
    if (kind === ')' && expected !== 'value') return close();
    if (kind === ',' && expected === 'separator') {
      expected = 'value';
      return null;
    }
    if (values.has(kind) && expected !== 'separator') {
      statement.values += 1;
      expected = kind === 'keyword' ? 'list' : 'separator';
      return null;
    }
    // After a text without its closing quote, all further tokens are misplaced.
    if (last?.kind === 'text') return broken(last.line, 'a text does not end where it should');
    return broken(line, kind === ';' ? 'the instance ends within a list' : `unexpected ${kind}`);
  };

  const close = (): null => {
    statement.depth -= 1;
    if (statement.depth === 0) statement.shape += ')';
    expected = 'separator';
    return null;
  };

  return statement;
};

/** The library drops instances of types in small letters, which the standard does not allow. */
const caseFault = ({ kind, line, text }: StepToken): BrokenStep | null =>
  kind === 'keyword' && /[a-z]/.test(text)
    ? broken(line, `${quoted(text)} is not in capital letters`)
    : null;

const values: ReadonlySet<string> = new Set(['keyword', 'reference', 'value', 'text']);

const pieces: Readonly<Partial<Record<StepToken['kind'], string>>> = {
  keyword: 'k',
  reference: '#',
  '=': '=',
  '(': '(',
};

/** Valid beginnings of a statement: `FILE_NAME(…)`, `#12=IFCWALL(…)`, `ENDSEC`. */
const beginnings: ReadonlySet<string> = new Set(['k', 'k(', '#', '#=', '#=k', '#=k(']);
