/** `atrium support-bundle`: diagnostic data for support. docs/operating/support-bundle.md. */
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { configOf } from '../../config/config.ts';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Env } from '../command-logger.ts';
import { hidingSecretsOf } from '../doctor/secrets.ts';
import {
  DOCTOR_CHECK_MAX_MS,
  SUPPORT_SECTION_BYTES_MAX,
  SUPPORT_SECTION_MAX_MS,
} from '../limits.ts';
import { scrubbed } from './scrub.ts';
import { sectionsOf } from './sections.ts';

export interface SupportBundleCommand {
  /** Must not exist. Default: `atrium-support-<time>.jsonl.gz` in the working directory. */
  readonly file?: string;
  /** A file of the server's log, as JSON lines. */
  readonly log?: string;
  readonly env: Env;
}

/**
 * Writes one file that only its owner can read: JSON lines `{ section, ms, value }`, with `error`
 * instead of `value` if the section failed or took longer than {@link SUPPORT_SECTION_MAX_MS}.
 *
 * @returns The exit code: 0, also where a section is missing.
 * @throws If the file cannot be written, and `BadConfiguration`.
 */
export const supportBundleCommand = async (command: SupportBundleCommand): Promise<number> => {
  const { env, log } = command;
  const config = configOf(env);
  const now = systemClock.now();
  const path =
    command.file ?? `atrium-support-${now.replaceAll(/[^\dT]/g, '').slice(0, 15)}.jsonl.gz`;
  const hidden = hidingSecretsOf(env);
  // Value by value: a short secret may be a part of JSON itself.
  const json = (line: object): string =>
    JSON.stringify(line, (_, value: unknown) =>
      typeof value === 'string' ? scrubbed(hidden(value)) : value,
    );
  await using closing = new AsyncDisposableStack();
  const sections = sectionsOf({ env, config, log, withinMs: DOCTOR_CHECK_MAX_MS, closing });
  const file = await open(path, 'wx', 0o600);
  closing.defer(() => file.close());
  const lines = [json({ section: 'bundle', value: { format: 1, madeAt: now } })];
  const missing: string[] = [];
  // Sequential, because a bundle is made during an incident, and must not add load.
  for (const [section, look] of Object.entries(sections)) {
    const began = performance.now();
    const late = () => Promise.reject(new Error('it took too long'));
    const found = await withTimeout<unknown>(look(), SUPPORT_SECTION_MAX_MS, late).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: (error as Error).message }),
    );
    if ('error' in found) missing.push(section);
    const ms = Math.round(performance.now() - began);
    const line = json({ section, ms, ...found });
    const isLong = Buffer.byteLength(line) > SUPPORT_SECTION_BYTES_MAX;
    lines.push(isLong ? json({ section, ms, error: 'it is too long' }) : line);
  }
  await file.writeFile(await promisify(gzip)(`${lines.join('\n')}\n`));
  process.stdout.write(
    `${path}: ${lines.length} sections` +
      `${missing.length === 0 ? '' : `; not there: ${missing.join(', ')}`}\n`,
  );
  return 0;
};
