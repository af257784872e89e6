/** `atrium feed` beside a platform. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { ticketLog } from '../../support/log/ticket-log.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { until } from '../../support/until.ts';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const run = (...words: string[]) =>
  runAtrium({ DATABASE_URL: platform.databaseUrl }, 'feed', ...words);
const changes = async () => (await agent.get('/api/service-desk/changes')).body;

it('lists where a change feed is blocked, and skips the event', async () => {
  const tickets = ticketLog(platform.log);
  const id = await tickets.open();
  await tickets.raw(id, { type: 'TicketEnchanted', data: {} });
  await expect.poll(async () => (await changes()).blocked).toMatchObject({ ticketId: id });
  await until(async () => (await run('blocked')).out.includes(id), 'the blocked ticket');
  const skipped = await run('skip', id);
  expect(skipped).toMatchObject({
    code: 0,
    out: `the feed passes over ticket ${id} from revision 1 on\n`,
  });
  await expect
    .poll(async () => (await changes()).items)
    .toMatchObject([
      { ticketId: id, change: 'created' },
      { ticketId: id, change: 'unreadable' },
    ]);
});

it('refuses in one line a missing ticket, or a readable one', async () => {
  const id = randomUUID();
  const { code, err } = await run('skip', id);
  expect([code, err]).toEqual([1, `atrium: no ticket ${id}, or all of it can be read\n`]);
});
