/** The source files of this repository, as the tests that read them want them. */
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

/** What stands between quotes, without what a template computes. */
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
