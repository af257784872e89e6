/** Read models rebuilt and verified all at once. docs/operating/rebuild-a-read-model.md. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { release } from '../../../src/compose.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { runAtrium } from '../../support/servers/cli.ts';

let own: FreshLog;
beforeAll(async () => {
  own = await freshLog();
});
afterAll(() => own.drop());

const names = release.projections.map(({ name }) => name);

it.each(['rebuild', 'verify'])('%s without a name takes every read model', async (kind) => {
  const env = { DATABASE_URL: own.url };
  const { code, out } = await runAtrium(env, 'projections', kind, '--json');
  expect(code).toBe(0);
  const { items } = JSON.parse(out) as { items: readonly Record<string, unknown>[] };
  expect(items.map(({ name }) => name)).toEqual(names);
  for (const item of items) expect(item).toMatchObject({ kind, state: 'done' });
});
