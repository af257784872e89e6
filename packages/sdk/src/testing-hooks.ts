/** When a file of tests begins and ends, for whichever runner runs it. */
import { after, before } from 'node:test';

type Work = () => Promise<void>;

/**
 * Those of vitest (`beforeAll`, `afterAll`) or of `node:test` (`before`, `after`).
 *
 * @experimental
 */
export type TestHooks =
  | {
      readonly beforeAll: (work: Work, timeoutMs?: number) => unknown;
      readonly afterAll: (work: Work, timeoutMs?: number) => unknown;
    }
  | {
      readonly before: (work: Work, options?: { readonly timeout?: number }) => unknown;
      readonly after: (work: Work, options?: { readonly timeout?: number }) => unknown;
    };

/**
 * Runs both in their time.
 *
 * @param hooks Default: the global ones of the runner, else those of `node:test`.
 * @throws under vitest without globals, whose hooks must be given.
 */
export const around = (
  hooks: TestHooks | undefined,
  { begin, end, timeoutMs }: { begin: Work; end: Work; timeoutMs: number },
): void => {
  const own = hooks ?? hooksOfRunner();
  if ('beforeAll' in own) {
    own.beforeAll(begin, timeoutMs);
    own.afterAll(end, timeoutMs);
  } else {
    own.before(begin, { timeout: timeoutMs });
    own.after(end, { timeout: timeoutMs });
  }
};

const hooksOfRunner = (): TestHooks => {
  const { beforeAll, afterAll } = globalThis as Partial<
    Extract<TestHooks, { readonly beforeAll: unknown }>
  >;
  if (beforeAll && afterAll) return { beforeAll, afterAll };
  if (process.env['VITEST'])
    throw new Error('withSandbox needs hooks: { beforeAll, afterAll }, imported from vitest');
  return { before, after };
};
