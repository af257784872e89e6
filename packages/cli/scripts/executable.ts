/**
 * Makes `atrium` one file that needs no Node, by Node's single executable applications:
 *
 *     node packages/cli/scripts/executable.ts [TARGET...] [--node PATH]
 *
 * A target is `linux-x64`, `linux-arm64`, `darwin-x64` or `darwin-arm64`; default: this machine.
 * The results are `packages/cli/dist-executables/atrium-TARGET`. Another Linux's Node comes from
 * the registry. For a macOS that is not this machine `--node` names its Node, of the release that
 * runs this script, and the result has to be signed there: `codesign --sign - atrium-TARGET`.
 */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { rolldown } from 'rolldown';

const run = promisify(execFile);
const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const;
export type Target = (typeof TARGETS)[number];

/** What Node's manual says that the injected resource is called. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** `linux-x64`, … */
export const thisMachine = `${process.platform}-${process.arch}`;

/**
 * Writes the executable of one target.
 *
 * @param node The Node to copy. Default: this process's, or for another Linux the registry's.
 * @param to Its directory. Default: `packages/cli/dist-executables`.
 * @returns Its path.
 * @throws If there is no Node for the target, or it is not of this process's release.
 */
export const executable = async (
  target: Target,
  { node, to = at('dist-executables') }: { readonly node?: string; readonly to?: string } = {},
): Promise<string> => {
  const work = mkdtempSync(join(tmpdir(), 'atrium-executable-'));
  try {
    const blob = await blobOf(target, work);
    const from = node ?? (await nodeOf(target, work));
    if (!readFileSync(from).includes(process.version))
      throw new Error(`${from} is not Node ${process.version}, which this script runs on`);
    mkdirSync(to, { recursive: true });
    const path = join(to, `atrium-${target}`);
    rmSync(path, { force: true });
    copyFileSync(from, path);
    chmodSync(path, 0o755);
    const isMac = target.startsWith('darwin');
    if (isMac) await codesign('--remove-signature', path);
    const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
    const words = [path, RESOURCE, blob, '--sentinel-fuse', FUSE];
    const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
    await run(process.execPath, [postject, ...words, ...segment]);
    if (isMac) await codesign('--sign', '-', path);
    return path;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/** The command in one file, compiled ahead where this machine's V8 can. */
const blobOf = async (target: Target, work: string): Promise<string> => {
  const main = join(work, 'atrium.cjs');
  const bundle = await rolldown({
    cwd: at(''),
    input: at('scripts/executable-entry.ts'),
    platform: 'node',
    // No file is beside it: neither a checkout nor what packages look for.
    transform: { define: { 'import.meta.url': '"file:///"' } },
    logLevel: 'warn',
  });
  await bundle.write({ format: 'cjs', file: main, codeSplitting: false });
  await bundle.close();
  const [config, output] = [join(work, 'sea.json'), join(work, 'atrium.blob')];
  const useCodeCache = target === thisMachine;
  writeFileSync(
    config,
    JSON.stringify({ main, output, useCodeCache, disableExperimentalSEAWarning: true }),
  );
  await run(process.execPath, ['--experimental-sea-config', config]);
  return output;
};

const nodeOf = async (target: Target, work: string): Promise<string> => {
  if (target === thisMachine) return process.execPath;
  if (!target.startsWith('linux'))
    throw new Error(`name the Node ${process.version} of ${target} by --node PATH`);
  const name = `node-${target}@${process.versions.node}`;
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', work, name]);
  await run('tar', ['-xzf', join(work, stdout.trim()), '-C', work, 'package/bin/node']);
  return join(work, 'package/bin/node');
};

/** Of macOS; elsewhere a signature stays as it is. */
const codesign = async (...words: readonly string[]): Promise<void> => {
  if (process.platform === 'darwin') await run('codesign', words);
  else console.warn(`not done on ${process.platform}: codesign ${words.join(' ')}`);
};

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { node: { type: 'string' } },
  });
  const targets = positionals.length > 0 ? positionals : [thisMachine];
  const unknown = targets.filter((target) => !TARGETS.includes(target as Target));
  if (unknown.length > 0) throw new Error(`${unknown.join()}: not one of ${TARGETS.join(', ')}`);
  for (const target of targets) {
    const path = await executable(target as Target, values.node ? { node: values.node } : {});
    console.log(`${path} ${(readFileSync(path).length / 1024 ** 2).toFixed(0)} MiB`);
  }
}
