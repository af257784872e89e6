/** One round on the log itself: two writers, two readers, and a fault. */
import { LogUnavailable, type Head } from '../../src/engine/log/event-store.ts';
import { openLog } from './log.ts';
import type { Progress } from './progress.ts';
import { verdictOf, type Verdict } from './verdict.ts';
import { startWorker } from './workers.ts';
import { until } from '../support/until.ts';

/** Breaks something. `goesOn` waits until more was acknowledged than before. */
export type Fault = (goesOn: (step: string) => Promise<void>) => Promise<void>;

export interface LogRound {
  readonly url: string;
  readonly name: string;
  readonly nth: number;
  readonly fault: Fault;
  /** Writers that are killed, one after the other, each followed by another. */
  readonly killed: number;
  readonly said: Progress;
}

/** No fault may stop the writers for longer than it lasts and this. */
const GOES_ON_WITHIN_MS = 60_000;
/** The minimum number of appends between two faults. */
const MORE = 1_000;

export const logRound = async (round: LogRound): Promise<Verdict> => {
  const { url, name, fault, killed, said } = round;
  const key = `r${round.nth}`;
  const log = openLog(url);
  const { position: after } = await headOf(log);
  const all = ['a', 'b'].map((writer) => startWorker('write', url, writer, key));
  const readers = ['1', '2'].map((reader) => startWorker('read', url, reader, key, after));
  const running = [...all];
  const acknowledged = () => all.reduce((sum, { ids }) => sum + ids.length, 0);
  let step = '';
  const telling = setInterval(() => said.at(name, step, acknowledged()), 1_000);
  const goesOn = async (at: string) => {
    step = at;
    const wanted = acknowledged() + MORE;
    const what = `${name}: more appends`;
    await until(() => acknowledged() >= wanted, what, { maxMs: GOES_ON_WITHIN_MS });
  };
  try {
    await goesOn('');
    await fault(goesOn);
    for (let nth = 1; nth <= killed; nth += 1) {
      await running.shift()!.kill();
      const next = startWorker('write', url, `c${nth}`, key);
      all.push(next);
      running.push(next);
      await goesOn(`${nth}/${killed}`);
    }
    await Promise.all(running.map((writer) => writer.stop()));
    await Promise.all(readers.map((reader) => reader.stop()));
  } catch (error) {
    await Promise.all([...running, ...readers].map((worker) => worker.kill()));
    throw error;
  } finally {
    clearInterval(telling);
  }
  const ids = all.flatMap((writer) => writer.ids);
  const place = { name, round: key, after, killed: killed > 0 };
  const read = readers.map((reader) => reader.ids);
  const verdict = await verdictOf(log, place, ids, read);
  await log.close();
  return verdict;
};

const headOf = async (log: ReturnType<typeof openLog>): Promise<Head> => {
  for (;;) {
    try {
      return await log.head();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
    }
  }
};
