/** Prints what an image holds as CycloneDX, the same for the same lock: `npm run sbom`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { licencesIn, type Lock } from './licence-rules.ts';

interface Bom {
  serialNumber: string;
  metadata: { timestamp?: string; component: { name: string; type: string; 'bom-ref': string } };
  components: { readonly name: string; readonly version: string; readonly 'bom-ref': string }[];
  dependencies: { readonly ref: string; dependsOn: string[] }[];
}

const root = join(import.meta.dirname, '../..');
const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 } as const;
const bom = JSON.parse(execFileSync('npm', args, options)) as Bom;

// `--omit=dev` would leave out what a tool for development needs too, such as zod.
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const installed = new Set(licencesIn(lock).map(({ name, version }) => `${name}@${version}`));
bom.components = bom.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
const kept = new Set(bom.components.map((it) => it['bom-ref']));
const own = bom.metadata.component['bom-ref'];
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref) || ref === own)
  .map((it) => ({ ...it, dependsOn: it.dependsOn.filter((ref) => kept.has(ref)) }));

// npm names the folder, and draws the rest anew each time.
bom.metadata.component = { ...bom.metadata.component, name: manifest.name, type: 'application' };
delete bom.metadata.timestamp;
const epoch = process.env['SOURCE_DATE_EPOCH'];
if (epoch) bom.metadata.timestamp = new Date(Number(epoch) * 1000).toISOString();
bom.serialNumber = '';
const hash = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
// The form of a UUID of version 8: its bits are the author's.
const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hash)!.slice(1);
bom.serialNumber = `urn:uuid:${parts[0]}-${parts[1]}-8${parts[2]}-8${parts[3]}-${parts[4]}`;
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
