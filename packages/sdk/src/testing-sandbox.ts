import { createAtrium, type Atrium, type AtriumOptions } from './client.ts';
import { nodeFetch } from './node-fetch.ts';
import type { components } from './openapi.ts';
import { AtriumError } from './problems.ts';
import { pause } from './retries.ts';
import { atExit, type LastRequest } from './testing-exit.ts';
import { around, type TestHooks } from './testing-hooks.ts';
import { isLeftOver, nameOf } from './testing-names.ts';

type Sandbox = components['schemas']['Sandbox'];
type Draft = Partial<Omit<components['schemas']['NewSandbox'], 'name' | 'seed'>>;

/** @experimental */
export interface SandboxTestOptions extends Draft {
  /** Of the server. Default: `ATRIUM_URL`, else `http://localhost:4000`. */
  readonly url?: string;
  /** Default: `ATRIUM_TOKEN`, else `TOKEN`. */
  readonly token?: NonNullable<AtriumOptions['token']>;
  /** The same seed gives the same building. Default: `ATRIUM_TEST_SEED`, else a random one. */
  readonly seed?: string;
  /** Called with the seed. Default: writes it to standard error, as `ATRIUM_TEST_SEED`. */
  readonly onSeed?: (seed: string) => void;
  /** A snapshot to start from, in place of a seed. */
  readonly fromSnapshot?: string;
  /** Prefix of its name. Default `test`. */
  readonly prefix?: string;
  /** Default: those of the runner; vitest without `globals` needs `{ beforeAll, afterAll }`. */
  readonly hooks?: TestHooks;
  /** Timeout until it is ready, including the wait for a free quota. Default 300,000. */
  readonly timeoutMs?: number;
}

/** There from the first test on. @experimental */
export interface SandboxForTests {
  /** A client of the sandbox. */
  readonly atrium: Atrium;
  /** Of the sandbox. */
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly seed: string;
  /** Its first building. */
  readonly buildingId: string;
}

const TIMEOUT_MS = 300_000;
const LOOK_MS = 500;
const QUOTA_LOOK_MS = 2_000;

/**
 * A sandbox for the tests of this file: made and ready before the first, deleted after the last,
 * also if its set-up fails or the run is interrupted; it lives for a day at most. Sandboxes left
 * over by a killed run are deleted first: those of this machine at once, others after an hour.
 *
 * @throws from its members before the first test.
 * @experimental
 */
export const withSandbox = (options: SandboxTestOptions = {}): SandboxForTests => {
  const { timeoutMs = TIMEOUT_MS, hooks } = options;
  const seed = options.seed ?? process.env['ATRIUM_TEST_SEED'] ?? crypto.randomUUID().slice(0, 8);
  let made: Omit<SandboxForTests, 'seed'> | null = null;
  let remove = async () => {};
  const begin = async () => {
    const { onSeed = printSeed } = options;
    if (options.fromSnapshot === undefined) onSeed(seed);
    const main = mainOf(options);
    await sweep(main.atrium, options);
    const until = performance.now() + timeoutMs;
    const { sandboxId } = await created(main.atrium, options, { seed, until });
    const forget = atExit(await requestOf(main, sandboxId));
    remove = async () => {
      forget();
      remove = async () => {};
      await deleted(main.atrium, sandboxId);
    };
    try {
      const wait = { timeoutMs: until - performance.now(), lookMs: LOOK_MS };
      made = await opened(await main.atrium.sandboxes.whenReady(sandboxId, wait), main.token);
    } catch (error) {
      await remove();
      throw error;
    }
  };
  around(hooks, { begin, end: () => remove(), timeoutMs });
  const there = () => {
    if (!made) throw new Error('the sandbox is there from the first test on');
    return made;
  };
  return {
    seed,
    get atrium() {
      return there().atrium;
    },
    get url() {
      return there().url;
    },
    get sandbox() {
      return there().sandbox;
    },
    get buildingId() {
      return there().buildingId;
    },
  };
};

const printSeed = (seed: string): void => {
  process.stderr.write(`atrium-sdk: ATRIUM_TEST_SEED=${seed} gives this building again\n`);
};

type Token = NonNullable<AtriumOptions['token']>;

interface Main {
  readonly atrium: Atrium;
  readonly url: string;
  readonly token: Token;
}

/** That deletes it, for when the process has no time left. */
const requestOf = async ({ url, token }: Main, id: string): Promise<LastRequest> => ({
  method: 'DELETE',
  url: `${url}/api/v1/sandboxes/${id}`,
  token: typeof token === 'string' ? token : await token(),
});

const mainOf = (options: SandboxTestOptions): Main => {
  const { env } = process;
  const token = options.token ?? env['ATRIUM_TOKEN'] ?? env['TOKEN'];
  if (token === undefined) throw new Error('withSandbox needs a token: ATRIUM_TOKEN is not set');
  const given = options.url ?? env['ATRIUM_URL'] ?? 'http://localhost:4000';
  const url = given.replace(/\/+$/, '');
  return { atrium: createAtrium({ url, token, fetch: nodeFetch }), url, token };
};

const opened = async (sandbox: Sandbox, token: Token) => {
  const url = sandbox.apiUrl;
  const atrium = createAtrium({ url, token, fetch: nodeFetch });
  const { data } = await atrium.GET('/api/v1/buildings', { params: { query: { limit: 1 } } });
  const [building] = data.items;
  if (!building) throw new Error(`sandbox ${sandbox.sandboxId} has no building`);
  return { atrium, url, sandbox, buildingId: building.id };
};

const sweep = async (atrium: Atrium, { prefix = 'test' }: SandboxTestOptions): Promise<void> => {
  const { data } = await atrium.GET('/api/v1/sandboxes');
  for (const one of data.items) if (isLeftOver(prefix, one)) await deleted(atrium, one.sandboxId);
};

/** Waits for a place while the developer has as many as may be. */
const created = async (
  atrium: Atrium,
  options: SandboxTestOptions,
  { seed, until }: { readonly seed: string; readonly until: number },
): Promise<Sandbox> => {
  const { prefix = 'test', fromSnapshot, url: _, token: __, timeoutMs: ___, ...others } = options;
  const { seed: ____, onSeed: _____, hooks: ______, ...draft } = others;
  const start = fromSnapshot === undefined ? { seed } : { fromSnapshot };
  const body = { ttlDays: 1, ...draft, ...start, name: nameOf(prefix) };
  for (;;) {
    try {
      return await atrium.sandboxes.create(body);
    } catch (error) {
      const isFull = AtriumError.is(error, 'SANDBOX_QUOTA_REACHED');
      if (!isFull || performance.now() + QUOTA_LOOK_MS > until) throw error;
      await pause(QUOTA_LOOK_MS);
    }
  }
};

const deleted = async (atrium: Atrium, id: string): Promise<void> => {
  try {
    await atrium.DELETE('/api/v1/sandboxes/{id}', { params: { path: { id } } });
  } catch (error) {
    if (!AtriumError.is(error, 'NOT_FOUND')) throw error;
  }
};
