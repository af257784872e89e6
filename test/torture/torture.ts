/**
 * The guarantee of the log under faults: every acknowledged event is stored exactly once,
 * and every reader reads all events in order. Two writers and two readers, each a process; then a
 * whole server under callers that retry. Exits with 1 when a round fails.
 *
 *     npm run torture [-- --eventstore] [--seconds 20] [--kills 10] [--hang 20]
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { embeddedPostgres } from '../../src/engine/postgres/embedded/embedded.ts';
import { prepareLog } from '../../src/engine/log/postgres/store.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { killPostgres } from '../support/postgres/server-processes.ts';
import { progress } from './progress.ts';
import { logRound, type Fault } from './rounds.ts';
import { serverRound } from './server-round.ts';
import { tableOf, type Verdict } from './verdict.ts';
import { letPass } from '../support/until.ts';

const { values } = parseArgs({
  options: {
    eventstore: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '20' },
    kills: { type: 'string', default: '10' },
    hang: { type: 'string', default: '20' },
  },
});
const [seconds, kills, hang] = [values.seconds, values.kills, values.hang].map(Number) as [
  number,
  number,
  number,
];

interface Victim {
  readonly url: string;
  /** By name: the faults of the log's server. */
  readonly faults: readonly (readonly [string, Fault])[];
  readonly environment: Record<string, string>;
  release(): Promise<void>;
}

const times =
  (count: number, once: () => Promise<void>): Fault =>
  async (goesOn) => {
    for (let time = 1; time <= count; time += 1) {
      await once();
      await goesOn(`${time}/${count}`);
    }
  };

/** This process holds the embedded server, and so starts it again when it was killed. */
const embedded = async (): Promise<Victim> => {
  const directory = temporaryDirectory('torture');
  const server = await embeddedPostgres(`${directory}/postgres`);
  await prepareLog(server.url);
  return {
    url: server.url,
    faults: [[`${kills} kill -9 of Postgres`, times(kills, () => killPostgres(directory))]],
    environment: {},
    async release() {
      await server.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const eventstore = async (): Promise<Victim> => {
  const program = eventstoreProgram();
  if (!program) throw new Error('there is no eventstored and no kurrentd on the PATH');
  const server = await eventstoreServer(program);
  const kill = async () => {
    await server.kill();
    await server.start();
  };
  const restart = async () => {
    await server.stop();
    await server.start();
  };
  const freeze = async () => {
    await server.freeze();
    await letPass(hang * 1_000, 'how long it hangs');
    server.thaw();
  };
  return {
    url: server.url,
    faults: [
      [`${kills} kill -9 of EventStoreDB`, times(kills, kill)],
      [`EventStoreDB hangs ${hang} s`, times(1, freeze)],
      ['3 restarts of EventStoreDB', times(3, restart)],
    ],
    environment: { EVENTSTORE_URL: server.url },
    release: () => server.release(),
  };
};

const victim = await (values.eventstore ? eventstore() : embedded());
const verdicts: Verdict[] = [];
const said = progress();
try {
  const { url, faults, environment } = victim;
  const round = async (name: string, fault: Fault, killed = 0) => {
    verdicts.push(await logRound({ url, name, fault, killed, said, nth: verdicts.length }));
  };
  await round(`${seconds} s in peace`, () => letPass(seconds * 1_000, 'how long nothing happens'));
  for (const [name, fault] of faults) await round(name, fault);
  await round(`${kills} kill -9 of a writer`, async () => {}, kills);
  verdicts.push(await serverRound({ environment, kills, said }));
} catch (error) {
  process.stderr.write(`BROKEN: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  said.end();
  await victim.release();
}
process.stdout.write(`${tableOf(verdicts)}\n`);
if (!verdicts.every(({ holds }) => holds)) process.exitCode = 1;
