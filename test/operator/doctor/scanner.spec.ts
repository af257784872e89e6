import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scannerFinding } from '../../../src/operator/doctor/scanner.ts';
import { hasClamd, startClamd } from '../../support/clamd.ts';

describe('the check of the scanner', () => {
  it('has no finding without a scanner', async () =>
    expect((await scannerFinding({ filesScanner: null })).status).toBe('none'));

  it('fails where no scanner listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { status, detail } = await scannerFinding({ filesScanner: { host: '127.0.0.1', port } });
    expect([status, detail]).toEqual(['failed', expect.stringContaining(`127.0.0.1:${port}: `)]);
  });

  it.skipIf(!hasClamd).each([
    [26, 'ok'],
    [1, 'failed'],
  ])('of files up to %i MiB is %s (skipped without clamd on the PATH)', async (mib, expected) => {
    const clamd = await startClamd(mib);
    onTestFinished(() => clamd.stop());
    const { status } = await scannerFinding({ filesScanner: { path: clamd.path } });
    expect(status).toBe(expected);
  });
});
