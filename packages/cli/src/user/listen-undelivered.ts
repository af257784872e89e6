/** Events that `atrium listen` could not deliver, kept in a file for the next time. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { LiveEvent } from '../../../sdk/src/live.ts';
import { CommandFailed } from '../failures.ts';

/** None where there is no such file. @throws {@link CommandFailed} for a file of another kind. */
export const undeliveredIn = async (file: string): Promise<readonly LiveEvent[]> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new CommandFailed(`${file} cannot be read: ${error.message}`, error);
  });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => eventIn(line, file));
};

const eventIn = (line: string, file: string): LiveEvent => {
  try {
    const event = JSON.parse(line) as LiveEvent;
    if (typeof event.position === 'string' && typeof event.event === 'string') return event;
  } catch {
    // Told below, as for JSON of another kind.
  }
  throw new CommandFailed(`${file} has no undelivered events; name another file`);
};

/** A line each; a file without any is removed. */
export const keepUndelivered = async (
  file: string,
  events: readonly LiveEvent[],
): Promise<void> => {
  if (events.length === 0) return rm(file, { force: true });
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  await writeFile(file, lines.join(''), { mode: 0o600 });
};
