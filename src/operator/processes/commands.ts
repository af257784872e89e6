/** `atrium processes …`. docs/operating/processes.md. */
import { BUS_INTAKE } from '../../bus/nats/intake.ts';
import type { Backlog } from '../../bus/nats/nats.ts';
import { release } from '../../compose.ts';
import type { Config } from '../../config/config.ts';
import { NATS_ANSWER_MAX_MS } from '../../limits.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import {
  processControl,
  UnknownProcess,
  type ParkedWork,
  type ProcessControl,
  type ProcessStatus,
} from '../../engine/control/process-control.ts';
import type { ConsumerRequest } from '../../engine/consumers/requests.ts';
import { openNats } from '../adapters.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers, type OpenConsumers } from '../open-consumers.ts';
import { OperatorError, UsageError } from '../operator-error.ts';
import { progressLine } from '../progress.ts';
import { requestEnded } from '../request-ended.ts';
import { lagOf, NOTHING_PARKED, tableOf } from '../tables.ts';

export interface ProcessesCommand {
  readonly action: 'status' | 'parked' | 'retry' | 'skip';
  /** Name of a process or of timers; required by all actions but `status`. */
  readonly name?: string;
  /** A parked stream, or the key of a stuck timer; required by `retry` and `skip` without `all`. */
  readonly stream?: string;
  /** Everything that is parked. */
  readonly all?: boolean;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * Runs one command and prints its outcome.
 *
 * @returns The exit code: 0; 1 if a request was refused, has failed, or the stream is parked again.
 * @throws {@link OperatorError} and `BadConfiguration`, each with one line.
 */
export const processesCommand = (command: ProcessesCommand): Promise<number> =>
  onConsumers(command.env, async (opened) => {
    await opened.checkLog();
    const { consumers } = opened;
    const { nats } = opened.config;
    const control = processControl({
      processes: [...release.processes, ...(nats ? [BUS_INTAKE] : [])],
      timers: release.timers,
      consumers,
      behind: { [BUS_INTAKE]: () => intakeBehind(opened.config, consumers.logger) },
    });
    const say = (value: unknown, lines: () => string) =>
      process.stdout.write(`${command.json ? JSON.stringify(value) : lines()}\n`);
    try {
      return await run(command, { ...opened, control }, say);
    } catch (error) {
      if (error instanceof UnknownProcess) throw new OperatorError(error.message);
      throw error;
    }
  });

/** @throws `BusUnavailable`. */
const intakeBehind = async (config: Config, logger: Logger): Promise<Backlog> => {
  const nats = (await openNats(config, logger))!;
  try {
    await nats.whenReady(AbortSignal.timeout(NATS_ANSWER_MAX_MS));
    return await nats.behind();
  } finally {
    await nats.close();
  }
};

type Say = (value: unknown, lines: () => string) => void;
type Opened = OpenConsumers & { readonly control: ProcessControl };

const run = async (command: ProcessesCommand, opened: Opened, say: Say): Promise<number> => {
  const { action, name = '', stream = '' } = command;
  const { control } = opened;
  switch (action) {
    case 'status': {
      const items = await control.status();
      say({ items }, () => statusTable(items));
      return 0;
    }
    case 'parked': {
      const items = await control.parked(name);
      say({ items }, () => parkedTable(items));
      return 0;
    }
    case 'retry':
    case 'skip': {
      if ((stream === '') === !command.all) throw new UsageError('name one stream, or use --all');
      if (command.all) return requestedOfAll(opened, name, action, say);
      const request = await requested(opened, name, { kind: action, stream });
      if (!request) throw new OperatorError(`${stream} is not parked by ${name}`);
      say(request, () => outcomeOf(request));
      return isGood(request) ? 0 : 1;
    }
  }
};

/** One after the other, each with its line; another operator may release some of them meanwhile. */
const requestedOfAll = async (
  opened: Opened,
  name: string,
  kind: 'retry' | 'skip',
  say: Say,
): Promise<number> => {
  const parked = await opened.control.parked(name);
  const items: ConsumerRequest[] = [];
  const line = progressLine();
  for (const [at, { stream }] of parked.entries()) {
    line.show(() => `${kind} of ${stream}: ${at + 1} of ${parked.length}`);
    const request = await requested(opened, name, { kind, stream });
    if (request) items.push(request);
  }
  line.clear();
  say({ items }, () => (items.length === 0 ? NOTHING_PARKED : items.map(outcomeOf).join('\n')));
  return items.every(isGood) ? 0 : 1;
};

const isGood = ({ state, result }: ConsumerRequest): boolean =>
  state === 'done' && !result?.['parkedAgain'];

/**
 * Sends the request to the process that runs the consumer, and waits until it is carried out.
 *
 * @returns `null`: the stream is not parked.
 */
const requested = async (
  { control, signal }: Opened,
  name: string,
  { kind, stream }: { readonly kind: 'retry' | 'skip'; readonly stream: string },
): Promise<ConsumerRequest | null> => {
  await checkOwner(control, name);
  const made = await control.ask(name, { kind, stream, by: 'atrium processes' });
  if (!made) return null;
  return requestEnded({
    look: () => control.request(made.id),
    work: `the ${kind} is`,
    signal,
    between: () => checkOwner(control, name),
  });
};

/** A consumer sends commands and calls remote systems, which only a server may do. */
const checkOwner = async (control: ProcessControl, name: string): Promise<void> => {
  const status = (await control.status()).find((one) => one.name === name);
  if (!status) throw new UnknownProcess(name, control.names);
  if (status.owner === 'none')
    throw new OperatorError(`no server runs ${name}: start one, and ask again`);
};

const statusTable = (all: readonly ProcessStatus[]): string =>
  tableOf([
    ['name', 'kind', 'state', 'behind', 'parked', 'retrying', 'next due', ''],
    ...all.map((one) => {
      const { name, kind, owner, parked, retrying, nextDueAt, lastError } = one;
      const state = owner === 'none' ? 'stopped' : 'live';
      const cells = [name, kind, state, lagOf(one), parked, retrying, nextDueAt ?? '-'];
      return [...cells, lastError ?? ''].map(String);
    }),
  ]);

const parkedTable = (items: readonly ParkedWork[]): string =>
  items.length === 0
    ? NOTHING_PARKED
    : tableOf([
        ['stream', 'revision', 'due', 'later', 'since', 'tried again', 'why'],
        ...items.map(({ stream, revision, dueAt, skipped, parkedAt, retryAt, error }) =>
          [
            stream,
            revision ?? '-',
            dueAt ?? '-',
            skipped,
            parkedAt,
            retryAt ?? '-',
            error ?? '',
          ].map(String),
        ),
      ]);

const outcomeOf = ({ kind, lane: stream, state, error, result }: ConsumerRequest): string => {
  if (state !== 'done') return `${kind} of ${stream}: ${state}${error ? `: ${error}` : ''}`;
  const again = result?.['parkedAgain'] as { revision: number; error: string } | null | undefined;
  if (again) return `${stream} is parked again, at revision ${again.revision}: ${again.error}`;
  return kind === 'skip' ? `${stream} goes on without it` : `${stream} is tried again`;
};
