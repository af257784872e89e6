/** `atrium events tail`: prints events of other processes as they are recorded. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { happened, typesOf } from '../../support/log/events.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { runAtrium, startAtrium, type RunningCommand } from '../../support/servers/cli.ts';
import { letPass, until } from '../../support/until.ts';

let own: FreshLog;
const running: RunningCommand[] = [];

beforeEach(async () => {
  own = await freshLog();
});
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.process.kill('SIGKILL');
    await command.ended;
  }
  await own.drop();
});

const tail = (...words: string[]): RunningCommand => {
  const command = startAtrium(own.env, 'events', 'tail', ...words);
  running.push(command);
  return command;
};

interface Shown {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly type: string;
}

const shown = ({ out }: RunningCommand): Shown[] =>
  out()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Shown);

/** Resolves as soon as `count` events are printed. */
const whenShown = async (command: RunningCommand, count: number): Promise<Shown[]> => {
  await expect.poll(() => shown(command).length).toBeGreaterThanOrEqual(count);
  return shown(command);
};

/** Appends until the tail, which starts at the end of the log, has printed an event. */
const begun = async (command: RunningCommand): Promise<void> => {
  const shows = async () => {
    await own.log.append('knock-1', 'any', [happened('Knock')]);
    return shown(command).length > 0;
  };
  await until(shows, 'the first event shown', { everyMs: 50 });
};

const isKnock = ({ type }: Shown) => type === 'Knock';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('prints new events as they are recorded, until %s', async (signal, exitCode) => {
  await own.log.append('ticket-1', 'no_stream', [happened('Before')]);
  const command = tail();
  await begun(command);
  await own.log.append('ticket-1', 0, [happened('A', { text: 'ü\u2028' }), happened('B')]);
  await expect
    .poll(() => typesOf(shown(command).filter((event) => !isKnock(event))))
    .toEqual(['A', 'B']);
  command.process.kill(signal);
  expect(await command.ended).toMatchObject({ code: exitCode, err: '' });
});

it('prints events in the format of an export', async () => {
  await own.log.append('ticket-1', 'no_stream', [happened('A', { n: 1 })]);
  const [event] = await own.log.readStream('ticket-1');
  expect(await whenShown(tail('--from-start'), 1)).toEqual([event]);
});

it('starts at the given position, and prints only the requested events', async () => {
  const first = await own.log.append('ticket-1', 'no_stream', [happened('A')]);
  await own.log.append('building-1', 'no_stream', [happened('B')]);
  await own.log.append('ticket-2', 'no_stream', [happened('C')]);
  await own.log.append('plain', 'no_stream', [happened('D')]);
  const commands = [
    tail('--from', first.position),
    tail('--from-start', '--category', 'ticket'),
    tail('--from-start', '--stream', 'building-1'),
    tail('--from-start', '--stream', 'plain'),
  ];
  const counts = [3, 2, 1, 1];
  const found = await Promise.all(
    commands.map((command, index) => whenShown(command, counts[index]!)),
  );
  expect(found.map(typesOf)).toEqual([['B', 'C', 'D'], ['A', 'C'], ['B'], ['D']]);
});

it('continues when its connections to the log are lost', async () => {
  const command = tail();
  await begun(command);
  const { Client } = await import('pg');
  const client = new Client({ connectionString: own.url });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'atrium log%' and datname = current_database()`,
  );
  await client.end();
  await own.log.append('ticket-1', 'no_stream', [happened('After')]);
  await expect
    .poll(() => typesOf(shown(command).filter((event) => !isKnock(event))))
    .toEqual(['After']);
});

it('ends silently when its reader has closed the pipe', async () => {
  const command = tail();
  await begun(command);
  command.process.stdout!.destroy();
  const ended = command.ended;
  await own.log.append('ticket-1', 'no_stream', [happened('A')]);
  expect(await ended).toMatchObject({ code: 0, err: '' });
});

it('waits for a slow reader, and omits no event', async () => {
  const command = tail('--from-start');
  command.process.stdout!.pause();
  const many = Array.from({ length: 500 }, (_, n) => happened('A', { n, pad: 'x'.repeat(2_000) }));
  await own.log.append('ticket-1', 'no_stream', many);
  await letPass(1_500, 'the log is read, and the output blocked by its reader');
  command.process.stdout!.resume();
  const revisions = (await whenShown(command, many.length)).map(({ revision }) => revision);
  expect(revisions).toEqual(many.map((_, n) => n));
});

it.each([
  [['--from', 'x'], '--from: not a position: x'],
  [['--from', '999'], '--from: 999 is after the end of the log'],
  [['--from', '1', '--from-start'], '--from and --from-start contradict each other'],
])('reports in one line what is wrong with %j', async (words, says) => {
  const { code, err } = await tail(...words).ended;
  expect(code).toBe(2);
  expect(err).toBe(`atrium: ${says}\n`);
});

it('does not wait for an unreachable log', async () => {
  const env = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
  const { code, out, err } = await runAtrium(env, 'events', 'tail', '--from-start');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^atrium: the event log cannot be reached: [^\n]*\n$/);
});

it('names the wrong argument', async () => {
  const { code, err } = await tail('--form', '1').ended;
  expect(code).toBe(2);
  expect(err).toContain("unknown option '--form'");
});
