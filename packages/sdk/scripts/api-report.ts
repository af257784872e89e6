/**
 * What the package exports, as text to compare: the declarations as the compiler emits them,
 * without comments, by what is promised of them. It is API Extractor's report by smaller means:
 * that one brings a second compiler and thirty packages.
 */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const src = fileURLToPath(new URL('../src/', import.meta.url));
/** Module → what it is imported as. */
const ENTRIES = {
  index: 'atrium-sdk',
  live: 'atrium-sdk/live',
  node: 'atrium-sdk/node',
  testing: 'atrium-sdk/testing',
} as const;

const PROMISES = ['stable', 'experimental'] as const;
type Promise_ = (typeof PROMISES)[number];

interface Exported {
  readonly name: string;
  readonly from: string;
  readonly promise: Promise_ | null;
  readonly declaration: string;
}

/** @throws for an export that does not say what is promised of it. */
export const apiReport = (): string => {
  const all = exportedOf(declarations());
  const silent = all.filter(({ promise }) => promise === null).map(({ name }) => name);
  if (silent.length > 0) throw new Error(`neither @stable nor @experimental: ${silent.join()}`);
  const sections = PROMISES.map((promise) => {
    const its = all.filter((one) => one.promise === promise);
    const texts = its.map(
      ({ from, declaration }) => `\`\`\`ts\n${commentOf(from)}${declaration}\n\`\`\`\n`,
    );
    return `## @${promise}\n\n${texts.join('\n')}`;
  });
  return `# What atrium-sdk exports\n\n${sections.join('\n')}`;
};

const commentOf = (from: string) => (from === ENTRIES.index ? '' : `// ${from}\n`);

const entryFiles = Object.keys(ENTRIES).map((name) => `${src}${name}.ts`);

/** What a file is imported as; `null`: it is no entry. */
const entryOf = (file: string): string | null =>
  Object.entries(ENTRIES).find(([name]) => file.endsWith(`/${name}.d.ts`))?.[1] ?? null;

/** The emitted declarations of our own modules, by file. */
const declarations = (): ReadonlyMap<string, string> => {
  const emitted = new Map<string, string>();
  const program = ts.createProgram(entryFiles, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
  });
  program.emit(undefined, (file, text) => emitted.set(file, text));
  return emitted;
};

const exportedOf = (files: ReadonlyMap<string, string>): readonly Exported[] => {
  /** Name → where it is exported. */
  const named = new Map<string, string>();
  const statements: ts.Statement[] = [];
  const sources = new Map<ts.Statement, ts.SourceFile>();
  for (const [file, text] of files) {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    const entry = entryOf(file);
    for (const statement of source.statements) {
      if (entry !== null && ts.isExportDeclaration(statement)) {
        const clause = statement.exportClause;
        if (!clause || !ts.isNamedExports(clause)) throw new Error('an export without a name');
        for (const { name } of clause.elements) named.set(name.text, entry);
      } else if (entry === null) {
        statements.push(statement);
        sources.set(statement, source);
      }
    }
  }
  const printer = ts.createPrinter({ removeComments: true });
  return statements
    .flatMap((statement) =>
      namesOf(statement)
        .filter((name) => named.has(name) && !GENERATED.has(name))
        .map((name) => ({
          name,
          from: named.get(name)!,
          promise: promiseOf(statement),
          declaration: printer.printNode(
            ts.EmitHint.Unspecified,
            statement,
            sources.get(statement)!,
          ),
        })),
    )
    .concat(
      [...GENERATED].map((name) => ({
        name,
        from: ENTRIES.index,
        promise: 'experimental' as const,
        declaration: `export interface ${name} { /* of openapi.json */ }`,
      })),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/** They change with each route: the routes themselves are what the server promises. */
const GENERATED: ReadonlySet<string> = new Set(['components', 'operations', 'paths']);

const namesOf = (statement: ts.Statement): readonly string[] => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name && ts.isIdentifier(name) ? [name.text] : [];
};

const promiseOf = (statement: ts.Statement): Promise_ | null => {
  const tags = ts.getJSDocTags(statement).map(({ tagName }) => tagName.text);
  return PROMISES.find((promise) => tags.includes(promise)) ?? null;
};
