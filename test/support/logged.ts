/** Finds log messages and readiness reasons in the sources. */
import { code, filesOf, text } from './sources.ts';

/** The source text of a call's arguments, given the text after its `(`. */
export const argumentsOf = (source: string): readonly string[] => {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  let quote: string | null = null;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at]!;
    if (quote !== null) {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = null;
      continue;
    }
    if (`'"\``.includes(sign)) quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && sign === ',')) {
      const argument = source.slice(from, at).trim();
      if (argument !== '') found.push(argument);
      from = at + 1;
    }
    if (depth < 0) return found;
  }
  throw new Error('a call without an end');
};

/** Concatenated strings, with `…` for computed parts; `null`: not a string. */
export const textOf = (argument: string): string | null => {
  const parts = argument.match(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g) ?? [];
  const rest = argument.replaceAll(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\s+]/g, '');
  if (parts.length === 0 || rest !== '') return null;
  return parts
    .map((part) =>
      part
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, '…')
        .replaceAll(/\\(.)/g, '$1'),
    )
    .join('')
    .replaceAll(/…+/g, '…');
};

interface Call {
  readonly path: string;
  /** The name of the method; of one that is computed, what computes it. */
  readonly method: string;
  readonly arguments: readonly string[];
}

const callsOf = (called: RegExp): readonly Call[] =>
  filesOf('src/**/*.ts').flatMap((path) => {
    const source = code(text(path));
    return [...source.matchAll(called)].map((call) => ({
      path,
      method: call[1] ?? call[2] ?? '',
      arguments: argumentsOf(source.slice(call.index + call[0].length)),
    }));
  });

/** Every call that logs, or adds fields to log lines. */
export const logCalls = (): readonly Call[] =>
  callsOf(
    /\b(?:log(?:ger)?|report)\??(?:\.(debug|info|warn|error|fatal|child)|\[([^\]]+)\])\(\s*/g,
  );

/** Every call that creates a readiness reason. */
export const reasonCalls = (): readonly Call[] => callsOf(/\breadinessError\(\s*/g);
