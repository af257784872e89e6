/** `atrium projections …`. docs/operating/rebuild-a-read-model.md. */
import { pause } from '../../engine/concurrency/backoff.ts';
import { REQUEST_LOOK_MS } from '../limits.ts';
import { dropVersion, otherVersions } from '../../engine/projections/versions.ts';
import type {
  Asked,
  ProjectionRequest,
  ProjectionStatus,
} from '../../engine/projections/read-models.ts';
import type { Env } from '../command-logger.ts';
import { Interrupted, OperatorError, UsageError } from '../operator-error.ts';
import { NOTHING_PARKED } from '../tables.ts';
import { wholeNumber } from '../whole-number.ts';
import { progressLine } from '../progress.ts';
import { onModels } from './open-models.ts';
import { outcomeOf, parkedTable, rebuildProgress, statusTable } from './print.ts';
import { requested } from './requested.ts';

export interface ProjectionsCommand {
  readonly action:
    | 'status'
    | 'prepare'
    | 'rebuild'
    | 'verify'
    | 'parked'
    | 'retry'
    | 'skip'
    | 'drop';
  /** Name of the read model. Default, where optional: all of this release. */
  readonly name?: string;
  /** Required by `retry` and `skip` without `all`. */
  readonly stream?: string;
  /** Everything that is parked. */
  readonly all?: boolean;
  readonly version?: string;
  readonly acceptParked?: boolean;
  /** Seconds within which a process must begin the request. Default 30. */
  readonly wait?: string;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * Runs one command and prints its outcome; progress goes to standard error.
 *
 * @returns The exit code: 0; 1 if it failed, was refused or cancelled, or found differences.
 * @throws {@link OperatorError}, `RequestConflict` and `BadConfiguration`, each with one line;
 *   {@link Interrupted} once a signal has cancelled it, or ended its waiting.
 */
export const projectionsCommand = async (command: ProjectionsCommand): Promise<number> => {
  const say = (value: unknown, lines: () => string) =>
    process.stdout.write(`${command.json ? JSON.stringify(value) : lines()}\n`);
  switch (command.action) {
    case 'status':
      return status(command, say);
    case 'prepare':
      return prepare(command, say);
    case 'parked':
      return parked(command, say);
    case 'drop':
      return drop(command, say);
    case 'rebuild':
    case 'verify':
    case 'retry':
    case 'skip':
      return ask({ ...command, action: command.action }, say);
  }
};

type Say = (value: unknown, lines: () => string) => void;

const status = ({ env }: ProjectionsCommand, say: Say) =>
  onModels(env, undefined, async ({ models, db, leases, projections, checkLog }) => {
    await checkLog();
    const all = (await models.status()).map(fedByServer);
    const others = await otherVersions(db.pool, leases, projections);
    say({ items: all, otherVersions: others }, () => statusTable(all, others));
    return 0;
  });

/** This command feeds no read model, so one fed by another process counts as live. */
const fedByServer = (model: ProjectionStatus): ProjectionStatus =>
  model.state === 'waiting' ? { ...model, state: 'live' } : model;

/** Resolves once all read models of this release have reached the log's head. */
const prepare = ({ env }: ProjectionsCommand, say: Say) =>
  onModels(env, undefined, async ({ models, feed, signal }) => {
    await feed();
    const line = progressLine();
    while ((await models.ready()) !== true) {
      if (signal.aborted)
        throw new Interrupted('not prepared: interrupted; the finished part is kept', signal);
      const building = (await models.status()).filter(({ work }) => work !== null);
      const lines = building.map(({ name, work }) => `${name}: ${rebuildProgress(work!.progress)}`);
      if (lines.length > 0) line.show(() => lines.join('; '));
      await pause(REQUEST_LOOK_MS, signal);
    }
    line.clear();
    const all = await models.status();
    say({ items: all }, () =>
      all.map(({ name, version }) => `${name} ${version} is prepared`).join('\n'),
    );
    return 0;
  });

const parked = ({ env, name }: ProjectionsCommand, say: Say) =>
  onModels(env, name, async ({ models, projections, checkLog }) => {
    await checkLog();
    const streams = (
      await Promise.all(projections.map((projection) => models.parked(projection.name)))
    ).flat();
    say({ items: streams }, () => parkedTable(streams));
    return 0;
  });

const ask = (
  command: ProjectionsCommand & { readonly action: Asked['kind'] },
  say: Say,
): Promise<number> => {
  const { action: kind, env, name, stream, all = false, acceptParked = false, wait } = command;
  if ((kind === 'retry' || kind === 'skip') && (stream === undefined) !== all)
    throw new UsageError('name one stream, or use --all');
  return onModels(env, name, async (opened) => {
    await opened.checkLog();
    const limits = wait === undefined ? {} : { begunWithinMs: wholeNumber('--wait', wait) * 1_000 };
    const operation = { kind, acceptParked, by: 'atrium projections' };
    const requests: ProjectionRequest[] = [];
    // Sequential, because each request holds its rows in memory.
    for (const projection of opened.projections) {
      const streams = all
        ? (await opened.models.parked(projection.name)).map((parked) => parked.stream)
        : [stream];
      for (const one of streams) {
        if (opened.signal.aborted) break;
        const parkedStream = one === undefined ? {} : { stream: one };
        const asked = { ...operation, ...parkedStream };
        requests.push(await requested(opened, projection.name, asked, limits));
      }
    }
    say(all || name === undefined ? { items: requests } : requests[0], () =>
      requests.length === 0 ? NOTHING_PARKED : requests.map(outcomeOf).join('\n'),
    );
    if (opened.signal.aborted) throw new Interrupted('interrupted', opened.signal);
    return requests.every(isGood) ? 0 : 1;
  });
};

const isGood = ({ kind, state, result }: ProjectionRequest): boolean =>
  state === 'done' && (kind === 'verify' ? result?.['equal'] === true : !result?.['parkedAgain']);

const drop = ({ env, name, version }: ProjectionsCommand, say: Say): Promise<number> => {
  const number = Number(version);
  if (name === undefined || !Number.isSafeInteger(number) || number < 1)
    throw new UsageError('which read model, and which version of it?');
  return onModels(env, undefined, async ({ db, leases }) => {
    const dropped = await dropVersion(db.pool, leases, { name, version: number });
    if (dropped === 'fed')
      throw new OperatorError(`${name} ${number} is fed by a process: stop that release first`);
    if (dropped === 'unknown') throw new OperatorError(`there is no ${name} ${number}`);
    say({ name, version: number, dropped: true }, () => `${name} ${number} was dropped`);
    return 0;
  });
};
