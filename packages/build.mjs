/**
 * Compiles packages/cli and packages/sdk into their `dist`: `node packages/build.mjs [NAME...]`.
 * `npm ci` and `npm pack` run it, on any Node, so it is plain JavaScript. Types are checked by
 * `npm run typecheck`. A file of `dist` is replaced at once and only if it differs: a program that
 * reads `dist` meanwhile never sees half a file.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Package → its compilations: the configuration, and the folder of `dist`. */
const PACKAGES = {
  cli: [
    {
      config: 'tsconfig.build.json',
      folder: '.',
      page: { name: 'atrium.1', program: 'cli/src/atrium.js' },
    },
  ],
  sdk: [
    { config: 'tsconfig.build.json', folder: '.' },
    { config: 'tsconfig.cjs.json', folder: 'cjs', type: 'commonjs' },
  ],
};

const compiler = () => {
  try {
    const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
    return join(dirname(manifest), 'bin/tsc');
  } catch {
    return null;
  }
};

const build = async (tsc, name) => {
  const home = join(import.meta.dirname, name);
  // Beside `dist`: a rename does not cross file systems.
  const made = mkdtempSync(join(home, '.dist-'));
  try {
    await Promise.all(
      PACKAGES[name].map(async ({ config, folder, type, page }) => {
        const to = join(made, folder);
        const words = ['-p', join(home, config), '--outDir', to, '--noCheck'];
        await run(process.execPath, [tsc, ...words]);
        // Printed by the program itself.
        if (page) {
          const { stdout } = await run(process.execPath, [join(to, page.program), 'man']);
          writeFileSync(join(to, page.name), stdout);
        }
        if (type) writeFileSync(join(to, 'package.json'), `${JSON.stringify({ type })}\n`);
      }),
    );
    replace(made, join(home, 'dist'));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};

const filesIn = (directory) =>
  readdirSync(directory, { recursive: true }).filter((name) =>
    statSync(join(directory, name), { throwIfNoEntry: false })?.isFile(),
  );

const replace = (made, dist) => {
  const files = filesIn(made);
  for (const name of files) {
    const [from, to] = [join(made, name), join(dist, name)];
    if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  const kept = new Set(files);
  for (const name of filesIn(dist)) if (!kept.has(name)) rmSync(join(dist, name), { force: true });
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PACKAGES);
const tsc = compiler();
if (tsc === null) console.log('packages: not built, because TypeScript is not installed');
else await Promise.all(names.map((name) => build(tsc, name)));
