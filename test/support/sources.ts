/** The source files of this repository, for tests that read them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Contents of a file, its path given from the root of the repository. */
export const text = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Paths from the root of the repository, sorted, without what is installed. */
export const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ['node_modules', '**/node_modules'] }).sort();

/** Strings and comments, in the order they begin. A regular expression is taken for code. */
const tokens =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

const isComment = (token: string) => token.startsWith('//') || token.startsWith('/*');

/** Source text without its comments; every line stays where it is. */
export const code = (source: string): string =>
  source.replaceAll(tokens, (token) => (isComment(token) ? token.replaceAll(/[^\n]/g, '') : token));

/** The contents of string literals, without computed parts of templates. */
export const strings = (source: string): string[] =>
  (source.match(tokens) ?? [])
    .filter((token) => !isComment(token))
    .map((token) => token.replaceAll(/\$\{[^}]*\}/g, ''));

/** `import … from '…'` and `export … from '…'`, `import '…'`, `import('…')`. */
const names = /(?: type)? (?:[\w$]+(?:, )?)?(?:\* as [\w$]+|\*|\{[^}]*\})? ?from /.source;
const imported = new RegExp(`^(?:import|export)${names}'([^']+)'|\\bimport[ (]'([^']+)'`, 'gm');

/** What a file imports: packages by name, other files by their path from the root. */
export const importsOf = (path: string, source = text(path)): string[] =>
  [...code(source).matchAll(imported)].map(([, from, alone]) => {
    const to = from ?? alone!;
    return to.startsWith('.') ? normalize(join(dirname(path), to)) : to;
  });

/** `path:line` of every line that `wrong` holds for. */
export const linesWhere = (source: string, path: string, wrong: (line: string) => boolean) =>
  source.split('\n').flatMap((line, index) => (wrong(line) ? [`${path}:${index + 1}`] : []));

/** Groups of files of which each imports, through others, itself (Tarjan's algorithm). */
export const circlesIn = (imports: ReadonlyMap<string, readonly string[]>): string[][] => {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    lowest.set(file, index.get(file)!);
    stack.push(file);
    for (const to of imports.get(file) ?? []) {
      if (!imports.has(to)) continue;
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
};
