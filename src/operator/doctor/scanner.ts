/** Checks the malware scanner. */
import type { Config } from '../../config/config.ts';
import { ATTACHMENT_BYTES_MAX } from '../../domain/tickets/limits.ts';
import { FILE_READ_BYTES } from '../../files/limits.ts';
import { clamdAt } from '../../files/scanner/clamd.ts';
import { ScannerUnavailable } from '../../files/scanner/scanner.ts';
import { failed, none, ok, type Finding } from './check.ts';

/** Whether it scans a file of the largest accepted size. */
export const scannerFinding = async ({
  filesScanner: address,
}: Pick<Config, 'filesScanner'>): Promise<Finding> => {
  if (address === null) return none('FILES_SCANNER is not set');
  const where = 'path' in address ? address.path : `${address.host}:${address.port}`;
  try {
    const found = await clamdAt(address).scan(largestFile);
    if (found !== null) return failed(`${where}: finds ${found} in a file of zeros`);
    return ok(`${where}: scans files of ${ATTACHMENT_BYTES_MAX / 1024 / 1024} MiB`);
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error;
    return failed(`${where}: ${error.message}`);
  }
};

async function* largestFile(): AsyncGenerator<Uint8Array, void, undefined> {
  const piece = Buffer.alloc(FILE_READ_BYTES);
  for (let bytes = 0; bytes < ATTACHMENT_BYTES_MAX; bytes += piece.length) yield piece;
}
