/** Programs that a machine may have. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether certificates can be made. */
export const hasOpenssl = (): boolean => programOnPath(['openssl']) !== null;

/**
 * The first of `names` that is anywhere on the PATH.
 *
 * @param beside Directories that are looked at after those of the PATH. Default: none.
 * @returns Its path, or `null`.
 */
export const programOnPath = (
  names: readonly string[],
  beside: readonly string[] = [],
): string | null => {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...beside];
  const paths = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return paths.find(isProgram) ?? null;
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
