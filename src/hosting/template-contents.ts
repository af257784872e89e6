/** The contents of a new sandbox's database. */
import { release } from '../compose.ts';
import { migrations } from '../migrations/migrations.ts';
import { schemaOf } from '../engine/projections/projection.ts';
import { logVersion } from '../engine/log/postgres/store.ts';
import { onQuietPlatform, type QuietPlatformParts } from './quiet-platform.ts';

/** Identifies the contents: another release with the same contents uses the same template. */
export const templateContents = (): readonly string[] => [
  logVersion(),
  ...Object.keys(migrations),
  ...release.inSandboxes.projections.map(schemaOf),
  ...release.inSandboxes.processes,
];

/**
 * Prepares an empty database for a sandbox: tables of the log and graph, and initialised read
 * models and processes, so that no sandbox waits for them.
 */
export const fillTemplate = (url: string, parts: QuietPlatformParts): Promise<void> =>
  onQuietPlatform(url, undefined, parts, async () => {});
