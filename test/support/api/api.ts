/** The API that a file of tests calls. */
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { callerOf } from './caller.ts';
import { testPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';
import { issuerOfRun, type TokenSource } from './tokens.ts';

/** A platform that starts later: callers of it may be created at the top of the file. */
export interface TestApi extends Pick<TestPlatform, 'as' | 'with' | 'stop'> {
  readonly issuer: TokenSource;
  readonly address: string;
  readonly databaseUrl: string;
  readonly log: TestPlatform['log'];
  readonly readModels: TestPlatform['readModels'];
  /** Imports the demo's building for the organisation of `email`. @returns Its id. */
  importBuilding(email?: string): Promise<string>;
  /** A further platform, by default on the same database; closed with the test. */
  beside(options?: TestPlatformOptions): Promise<TestPlatform>;
}

/**
 * Starts a platform before the first test of the file and closes it after the last; with
 * `per: 'test'`, one for each test.
 *
 * @param options Called for each platform.
 */
export const testApi = (
  options: () => TestPlatformOptions = () => ({}),
  { per = 'file' }: { per?: 'file' | 'test' } = {},
): TestApi => {
  let made: TestPlatform | undefined;
  const issuer = issuerOfRun();
  const platform = () => {
    if (!made) throw new Error('the platform starts before the first test, not while it is read');
    return made;
  };
  const start = async () => {
    made = await testPlatform({ issuer, ...options() });
  };
  const close = async () => {
    await made?.close();
    made = undefined;
  };
  if (per === 'file') {
    beforeAll(start);
    afterAll(close);
  } else {
    beforeEach(start);
    afterEach(close);
  }
  const address = () => platform().address;
  const as: TestApi['as'] = (email) =>
    callerOf(address, async () => (email === null ? null : issuer.tokenOf(email)));

  return {
    issuer,
    as,
    with: (token) => callerOf(address, async () => token),
    get address() {
      return address();
    },
    get databaseUrl() {
      return platform().databaseUrl;
    },
    get log() {
      return platform().log;
    },
    get readModels() {
      return platform().readModels;
    },
    stop: () => platform().stop(),
    async importBuilding(email = 'manager@acme.test') {
      const { status, body } = await as(email).post('/api/v1/buildings/import', demoBuilding());
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.buildingId;
    },
    async beside(besides = {}) {
      const { databaseUrl } = platform();
      const other = await testPlatform({ issuer, databaseUrl, ...besides });
      onTestFinished(() => other.close());
      return other;
    },
  };
};
