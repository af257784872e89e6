/** A discrete-event simulation of {@link Model}. Times within are in microseconds. */
import { EventQueue } from './event-queue.ts';
import { randomFrom } from './random.ts';
import { StationState, type StationResult, type Task } from './station.ts';
import { Wakeups, type Append } from './wakeups.ts';
import type { Model, Step, WorkClass } from './model.ts';

export interface ClassResult {
  readonly arrived: number;
  /** Number of requests completed including the steps after the answer. */
  readonly done: number;
  /** Number at the end without an answer, or with unfinished later steps. */
  readonly open: number;
  /** From arrival to answer, of each request that arrived after the warm-up. */
  readonly latenciesUs: readonly number[];
  /** From the answer to the end of the last later step. */
  readonly lagsUs: readonly number[];
}

export interface Result {
  readonly stations: ReadonlyMap<string, StationResult>;
  readonly classes: ReadonlyMap<string, ClassResult>;
  /** Number of wake-ups of the log's reader. */
  readonly wakeups: number;
  /** The station with the largest offered load, which saturates first. */
  readonly bottleneck: string;
  /** Stations whose offered load exceeds their capacity. */
  readonly overloaded: readonly string[];
}

interface Job {
  readonly of: ClassState;
  readonly arrivedUs: number;
  answeredUs: number;
  /** Number of unfinished chains of steps. */
  chains: number;
  /** The appends that share this wake-up of the log's reader. */
  readonly appends?: readonly Append[];
}

interface StepTask extends Task {
  readonly job: Job;
  readonly chain: readonly Step[];
  readonly at: number;
  /** Whether the chain ends with the answer. */
  readonly answers: boolean;
}

type Event = { readonly arrival: ClassState } | { readonly end: StepTask } | 'wake-up';

interface ClassState {
  readonly of: WorkClass;
  arrived: number;
  done: number;
  readonly latenciesUs: number[];
  readonly lagsUs: number[];
}

/**
 * @returns Deterministic for a model with its seed.
 * @throws RangeError If a step names an unknown station.
 */
export const simulate = (model: Model): Result => {
  const endUs = model.seconds * 1e6;
  const fromUs = (model.warmUpSeconds ?? 0) * 1e6;
  const random = randomFrom(model.seed);
  const stations = new Map(
    model.stations.map(({ name, servers }) => [name, new StationState<StepTask>(servers, fromUs)]),
  );
  const classes = model.classes.map((of): ClassState => ({
    of,
    arrived: 0,
    done: 0,
    latenciesUs: [],
    lagsUs: [],
  }));
  const events = new EventQueue<Event>();
  const reader = model.reader ? new Wakeups(model.reader) : null;
  const wakeups: ClassState = {
    of: { name: 'wake-up', perSecond: 0, steps: [] },
    arrived: 0,
    done: 0,
    latenciesUs: [],
    lagsUs: [],
  };

  const stationOf = (name: string) => {
    const station = stations.get(name);
    if (station === undefined) throw new RangeError(`there is no station ${name}`);
    return station;
  };
  const startNext = (station: StationState<StepTask>, nowUs: number) => {
    const task = station.start(nowUs);
    if (task) events.add(nowUs + task.serviceUs, { end: task });
  };
  const expectNext = (of: ClassState, nowUs: number) => {
    if (of.of.perSecond > 0)
      events.add(nowUs + random.exponential(1e6 / of.of.perSecond), { arrival: of });
  };

  const answered = (job: Job, nowUs: number) => {
    job.answeredUs = nowUs;
    if (job.arrivedUs >= fromUs) job.of.latenciesUs.push(nowUs - job.arrivedUs);
    for (const chain of job.of.of.followed ?? [])
      begin(job, { chain, at: 0, answers: false }, nowUs);
    const { wakes } = job.of.of;
    if (wakes) append({ of: job.of.of, left: wakes.appends - 1 }, nowUs);
  };
  const append = (one: Append, nowUs: number) => {
    const at = reader?.append(one, nowUs) ?? null;
    if (at !== null) events.add(at, 'wake-up');
  };
  const wake = (nowUs: number) => {
    const { appends, steps } = reader!.wake(nowUs);
    wakeups.arrived += 1;
    const job = { of: wakeups, arrivedUs: nowUs, answeredUs: nowUs, chains: 0, appends };
    begin(job, { chain: steps, at: 0, answers: false }, nowUs);
  };
  const begin = (
    job: Job,
    place: { readonly chain: readonly Step[]; readonly at: number; readonly answers: boolean },
    nowUs: number,
  ) => {
    const step = place.chain[place.at];
    if (place.at === 0) job.chains += 1;
    if (step === undefined) {
      if (place.answers) answered(job, nowUs);
      job.chains -= 1;
      if (job.chains === 0) ended(job, nowUs);
      return;
    }
    const serviceUs = step.service === 'constant' ? step.meanUs : random.exponential(step.meanUs);
    const station = stationOf(step.station);
    station.arrive({ job, ...place, serviceUs, queuedUs: nowUs, startedUs: nowUs }, nowUs);
    startNext(station, nowUs);
  };
  const ended = ({ of, arrivedUs, answeredUs, appends = [] }: Job, nowUs: number) => {
    of.done += 1;
    for (const one of appends) if (one.left > 0) append({ ...one, left: one.left - 1 }, nowUs);
    if (arrivedUs >= fromUs && of.of.followed) of.lagsUs.push(nowUs - answeredUs);
  };

  for (const of of classes) expectNext(of, 0);
  for (let next = events.next(endUs); next; next = events.next(endUs)) {
    const { at: nowUs, event } = next;
    if (event === 'wake-up') wake(nowUs);
    else if ('arrival' in event) {
      const of = event.arrival;
      expectNext(of, nowUs);
      of.arrived += 1;
      const job = { of, arrivedUs: nowUs, answeredUs: nowUs, chains: 0 };
      begin(job, { chain: of.of.steps, at: 0, answers: true }, nowUs);
    } else {
      const { job, chain, at, answers } = event.end;
      const station = stationOf(chain[at]!.station);
      station.end(event.end, nowUs);
      startNext(station, nowUs);
      begin(job, { chain, at: at + 1, answers }, nowUs);
    }
  }

  const tasks = [
    ...events.pending.flatMap((event) =>
      event !== 'wake-up' && 'end' in event ? [event.end] : [],
    ),
    ...[...stations.values()].flatMap(({ queued }) => queued),
  ];
  const open = new Set(tasks.map(({ job }) => job));
  const results = new Map([...stations].map(([name, state]) => [name, state.result(endUs)]));
  const byOffered = [...results].toSorted(([, a], [, b]) => b.offered - a.offered);
  return {
    stations: results,
    wakeups: wakeups.arrived,
    classes: new Map(
      classes.map(({ of, arrived, done, latenciesUs, lagsUs }) => [
        of.name,
        {
          arrived,
          done,
          open: [...open].filter((job) => job.of.of === of).length,
          latenciesUs,
          lagsUs,
        },
      ]),
    ),
    bottleneck: byOffered[0]?.[0] ?? '',
    overloaded: byOffered.filter(([, { offered }]) => offered > 1).map(([name]) => name),
  };
};
