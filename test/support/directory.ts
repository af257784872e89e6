import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A directory of the test's own that every user may pass through: run as root, an embedded server
 * drops to another user, who must be able to get there.
 */
export const temporaryDirectory = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `atrium-${name}-`));
  chmodSync(directory, 0o711);
  return directory;
};
