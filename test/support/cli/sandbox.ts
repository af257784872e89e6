/** A server whose one sandbox the command line reaches by its name. */
import { afterAll, beforeAll } from 'vitest';
import { hostingPlatform, provisioned, type HostingPlatform } from '../api/hosting.ts';
import { issuerOfRun } from '../api/tokens.ts';
import { temporaryDirectory } from '../directory.ts';
import { freePort } from '../servers/port.ts';
import type { Caller } from '../api/caller.ts';

export interface TestSandbox {
  readonly platform: HostingPlatform;
  readonly name: string;
  readonly sandboxId: string;
  readonly apiUrl: string;
  readonly buildingId: string;
  /** Of its developer, for the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its developer, on its host. */
  readonly host: Pick<Caller, 'get' | 'post' | 'put' | 'patch' | 'delete'>;
}

/** Starts them before the first test of the file; without live telemetry. */
export const testSandbox = (): (() => TestSandbox) => {
  const issuer = issuerOfRun();
  let made: TestSandbox | undefined;
  let platform: HostingPlatform | undefined;
  beforeAll(async () => {
    const name = 'Command line';
    platform = await hostingPlatform({ issuer, port: await freePort(), allowPrivate: true });
    const by = platform.as('developer@acme.test');
    const { body } = await by.post('/api/v1/sandboxes', {
      name,
      storeys: 1,
      areaSqm: 500,
      seedTelemetryDays: 0,
      liveTelemetry: false,
    });
    const record = await provisioned(by, `/api/v1/sandboxes/${body.sandboxId}`);
    if (record.status !== 'ready') throw new Error(JSON.stringify(record));
    const { sandboxId, apiUrl, buildingId, slug } = record;
    const token = await issuer.tokenOf('developer@acme.test');
    made = {
      platform,
      name,
      sandboxId,
      apiUrl,
      buildingId,
      environment: {
        ATRIUM_URL: platform.address,
        ATRIUM_TOKEN: token,
        XDG_CONFIG_HOME: temporaryDirectory('cli'),
      },
      host: platform.at(slug, token),
    };
  });
  afterAll(() => platform?.close());
  return () => {
    if (!made) throw new Error('the sandbox is made before the first test');
    return made;
  };
};
