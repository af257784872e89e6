/** Read models rebuilt, verified and retried at once. docs/operating/rebuild-a-read-model.md. */
import { randomUUID } from 'node:crypto';
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

it('retries and skips every parked stream of a read model', async () => {
  const streams = [`ticket-${randomUUID()}`, `ticket-${randomUUID()}`].toSorted();
  for (const stream of streams) {
    const event = { id: randomUUID(), type: 'TicketPainted', data: {}, meta: { commandId: 'x' } };
    await own.log.append(stream, 'no_stream', [event]);
  }
  const run = (...words: string[]) =>
    runAtrium({ DATABASE_URL: own.url }, 'projections', ...words, '--json');
  const itemsOf = (out: string) =>
    (JSON.parse(out) as { items: readonly { stream: string; state: string }[] }).items;
  const asked = async (action: string) => {
    const { code, out } = await run(action, 'ticket-list', '--all');
    const done = itemsOf(out).map(({ stream, state }) => `${stream} ${state}`);
    return { code, done: done.toSorted() };
  };
  // `prepare` ends once the read models are near the end of the log, a rebuild at its end.
  await run('rebuild', 'ticket-list');
  expect(itemsOf((await run('parked', 'ticket-list')).out)).toHaveLength(streams.length);
  const done = streams.map((stream) => `${stream} done`);
  expect(await asked('retry')).toEqual({ code: 1, done });
  expect(await asked('skip')).toEqual({ code: 0, done });
  expect(await asked('skip')).toEqual({ code: 0, done: [] });
});
