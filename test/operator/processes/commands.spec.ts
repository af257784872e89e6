/** `atrium processes` beside a platform that runs the processes, and without one. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { until } from '../../support/until.ts';

const platform = testApi();
const run = (...words: string[]) =>
  runAtrium({ DATABASE_URL: platform.databaseUrl }, 'processes', ...words);
const json = async (...words: string[]) => {
  const { code, out } = await run(...words, '--json');
  return { code, answer: JSON.parse(out) };
};
const unreadable = async () => {
  const stream = `ticket-${randomUUID()}`;
  const event = { id: randomUUID(), type: 'TicketPainted', data: {}, meta: { commandId: 'x' } };
  await platform.log.append(stream, 'no_stream', [event]);
  await until(async () => {
    const { answer } = await json('parked', 'ticket-publishing');
    return answer.items.some((one: { stream: string }) => one.stream === stream);
  }, 'the parked stream');
  return stream;
};

it('prints the status of processes and timers', async () => {
  const { code, out } = await run('status');
  expect(code).toBe(0);
  expect(out).toMatch(/^name +kind +state +behind +parked/);
  // They start in the background of a platform that has just started.
  const status = async () => (await run('status')).out;
  await expect.poll(status).toMatch(/^ticket-publishing +process +live +0 +0/m);
  await expect.poll(status).toMatch(/^journal-expiry +timers +live +0 +0/m);
  expect((await run('parked', 'ticket-publishing')).out).toBe('nothing is parked\n');
});

it('retries and skips streams that a running server has parked', async () => {
  const stream = await unreadable();
  const retried = await run('retry', 'ticket-publishing', stream);
  expect(retried).toMatchObject({ code: 1 });
  expect(retried.out).toMatch(/is parked again, at revision 0: NewerReleaseNeeded/);
  const skipped = await run('skip', 'ticket-publishing', stream);
  expect(skipped).toMatchObject({ code: 0, out: `${stream} goes on without it\n` });
  await expect
    .poll(async () => (await json('parked', 'ticket-publishing')).answer)
    .toEqual({ items: [] });
});

it('retries and skips all that is parked, each with its outcome', async () => {
  const streams = [await unreadable(), await unreadable()];
  const outcomes = ({ items }: { items: readonly { lane: string; state: string }[] }) =>
    items.map(({ lane, state }) => `${lane} ${state}`).toSorted();
  const all = streams.map((stream) => `${stream} done`).toSorted();
  const retried = await json('retry', 'ticket-publishing', '--all');
  expect([retried.code, outcomes(retried.answer)]).toEqual([1, all]);
  const skipped = await json('skip', 'ticket-publishing', '--all');
  expect([skipped.code, outcomes(skipped.answer)]).toEqual([0, all]);
  const again = await run('skip', 'ticket-publishing', '--all');
  expect(again).toMatchObject({ code: 0, out: 'nothing is parked\n' });
});

it.each([
  [['skip', 'ticket-publishing'], /^atrium: name one stream, or use --all\n/],
  [['retry', 'ticket-publishing', 'a', '--all'], /^atrium: name one stream, or use --all\n/],
])('is used wrongly: %s', async (words, line) => {
  const { code, out, err } = await run(...words);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(line);
});

it.each([
  [['parked', 'nothing'], /^atrium: there is no process nothing; there are ticket-publishing, /],
  [['retry', 'nothing', 'a'], /^atrium: there is no process nothing; /],
  [['skip', 'ticket-publishing', 'a'], /^atrium: a is not parked by ticket-publishing\n$/],
])('refuses in one line: %s', async (words, line) => {
  const { code, out, err } = await run(...words);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(line);
});

it('handles no event itself: only a server runs processes', async () => {
  const stream = await unreadable();
  await platform.stop();
  const { code, err } = await run('retry', 'ticket-publishing', stream);
  expect(code).toBe(1);
  expect(err).toBe('atrium: no server runs ticket-publishing: start one, and ask again\n');
  expect((await run('status')).out).toMatch(/^ticket-publishing +process +stopped/m);
});
