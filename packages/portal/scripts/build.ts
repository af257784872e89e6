/**
 * Bundles the portal into `built/`, which is committed: a server needs no bundler, and what it
 * serves is what was tested. docs/decisions/0039. A test says whether the copy is stale.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const text = (path: string) => readFileSync(at(path), 'utf8');

/** In the order in which they count. */
const STYLES = [
  'base',
  'shell',
  'controls',
  'content',
  'pages',
  'tickets',
  'attachments',
  'reports',
  'desk',
  'plan',
  'wall',
  'labels',
  'rules',
  'requester',
];

/** Of the pages without sign-in, which come with little else. */
const PUBLIC_STYLES = ['base', 'controls', 'content', 'public'];

/** Some packages name their entry after its folder. */
const CHUNKS: Readonly<Record<string, string>> = {
  esm: 'socket.io',
  'uPlot.esm': 'uplot',
  address: 'ticket',
};

const stylesOf = (names: readonly string[]): string =>
  names.map((name) => minified(text(`src/styles/${name}.css`))).join('');

/** Without comments and leading zeros, and with the white space alone that has a meaning. */
const minified = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .replaceAll(' !', '!')
    .replace(/([-\s:(,])0\./g, '$1.')
    .trim();

const SHARED = new RegExp(
  '/portal/src/(ui/(?!conflicts|once-shown)|bytes|download|post-body|typed-number|' +
    'pages/(places|rooms|report/scanned|labels/label-address|tickets/(edges|new|query)))',
);

/** What draws readings and rooms is used by few pages, in small files. */
const DRAWN = new RegExp(
  '/pages/(buildings/(readings|buckets|time-scale|fault-state|time-chart)|' +
    'plan/(geometry|storey-plan))[.]ts',
);

/** Only bundlers read annotations. */
const SMALL = { minify: true, comments: { annotation: false } } as const;

/** The name of a page is its folder's. */
const chunkName = (name: string, moduleIds: readonly string[]): string =>
  /\/pages\/(\w+)\/page\.tsx$/.exec(moduleIds.at(-1) ?? '')?.[1] ?? CHUNKS[name] ?? name;

const bundled = (name: string, entry: string) =>
  rolldown({
    cwd: at(''),
    input: { [name]: at(entry) },
    platform: 'browser',
    tsconfig: at('tsconfig.json'),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'warn',
  });

/** The pages without sign-in, in one file: their first visit is often the only one. */
const builtPublic = async (): Promise<Readonly<Record<string, string>>> => {
  const bundle = await bundled('public', 'src/public.tsx');
  const { output } = await bundle.generate({
    format: 'esm',
    ...SMALL,
    entryFileNames: '[name].js',
  });
  await bundle.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  return {
    'public.html': text('src/public.html'),
    'public.css': stylesOf(PUBLIC_STYLES),
    ...Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
  };
};

/** Name of a file in `built/` → its text. */
export const built = async (): Promise<Readonly<Record<string, string>>> => {
  const bundle = await bundled('portal', 'src/main.tsx');
  const { output } = await bundle.generate({
    format: 'esm',
    ...SMALL,
    // What pages share is one file: a first visit is a few requests.
    codeSplitting: {
      groups: [
        { name: 'shared', test: SHARED },
        { name: 'drawn', test: DRAWN },
      ],
    },
    entryFileNames: '[name].js',
    // Libraries of single pages: fetched when one of these is opened.
    chunkFileNames: ({ name, moduleIds }) => `${chunkName(name, moduleIds)}.js`,
  });
  await bundle.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  return {
    'index.html': text('src/index.html'),
    'icon.svg': text('src/icon.svg'),
    'portal.css': stylesOf(STYLES) + chartStyle(),
    ...(await builtPublic()),
    ...Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
  };
};

const chartStyle = (): string =>
  readFileSync(fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css')), 'utf8');

if (import.meta.main) {
  rmSync(at('built'), { recursive: true, force: true });
  const files = await built();
  mkdirSync(at('built'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(at(`built/${name}`), content);
}
