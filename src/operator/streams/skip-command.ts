/** `atrium skip`. docs/operating/when-something-breaks.md. */
import { release } from '../../compose.ts';
import { processId, projectionId, timersId } from '../../engine/consumers/consumer.ts';
import { LEASE_SILENT_MAX_MS } from '../../engine/limits.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { stuckTimers } from '../../engine/timers/stuck-timers.ts';
import { feedControl } from '../../processes/tickets/feed-control.ts';
import {
  streamSkip,
  type ParkedIn,
  type RequestedSkip,
  type StreamSkip,
} from '../../processes/operations/stream-skip.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers } from '../open-consumers.ts';
import { OperatorError } from '../operator-error.ts';
import { requestEnded } from '../request-ended.ts';
import { tableOf } from '../tables.ts';

export interface SkipCommand {
  readonly stream: string;
  /** Without it the command only prints the skips that it would make. */
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly env: Env;
}

interface Parked extends Pick<ParkedIn, 'name' | 'skipped'> {
  readonly kind: ParkedIn['kind'] | 'timers';
  /** `null` for a stuck timer. */
  readonly revision: number | null;
  /** The due time of a stuck timer, which a skip leaves out. */
  readonly dueAt: string | null;
  readonly error: string | null;
}

interface Requested extends Omit<RequestedSkip, 'kind'> {
  readonly kind: Parked['kind'];
}

/** The outcome of a skip in one consumer. */
interface SkipOutcome extends Requested {
  /** Why it failed, or at which later event the stream is parked again. */
  readonly error: string | null;
}

/**
 * Lists the consumers where a stream is parked, and its stuck timers; with `yes`, skips its
 * unreadable event and the due times of these timers, and waits until the servers have done so.
 *
 * @returns The exit code: 0; 1 if a skip has failed, or the stream is parked again.
 * @throws {@link OperatorError} if no server runs one of the consumers, and `BadConfiguration`.
 */
export const skipCommand = ({ stream, yes = false, json, env }: SkipCommand): Promise<number> =>
  onConsumers(env, async ({ log, db, leases, consumers, checkLog, signal }) => {
    await checkLog();
    const { logger } = consumers;
    const ids = [...release.projections.map(projectionId), ...release.processes.map(processId)];
    const feed = feedControl({ log, pool: db.pool, clock: systemClock, logger });
    const control = streamSkip({ consumers, ids, feed });
    const say = (value: unknown, lines: () => string) =>
      process.stdout.write(`${json ? JSON.stringify(value) : lines()}\n`);

    const allStuck = await stuckTimers(db.pool).list(release.timers.map(({ name }) => name));
    // The key of a timer is that of its stream. Skipped timers stay stuck, and are not retried.
    const stuck = allStuck.filter(
      ({ key, retryAt }) => [stream, keyOf(stream)].includes(key) && retryAt !== null,
    );
    const parked: readonly Parked[] = [
      ...(await control.parked(stream)).map((one) => ({ ...one, dueAt: null })),
      ...stuck.map(({ timers: name, dueAt, reason: error }) => {
        return { kind: 'timers', name, revision: null, dueAt, error, skipped: 0 } as const;
      }),
    ];
    if (!yes || parked.length === 0) {
      say({ stream, items: parked }, () => preview(stream, parked));
      return 0;
    }
    const consumerIds = [...ids, ...stuck.map(({ timers }) => timersId(timers))];
    const checkOwners = async (items: readonly Pick<Parked, 'kind' | 'name'>[]): Promise<void> => {
      const owners = await leases.owners(consumerIds);
      const unowned = consumerIds.filter((id) => (owners.get(id) ?? 'none') === 'none');
      const missing = items.filter(({ kind, name }) =>
        unowned.some((id) => id === `${kind}/${name}` || id.startsWith(`${kind}/${name}@`)),
      );
      if (missing.length === 0) return;
      const names = missing.map(({ name }) => name).join(', ');
      throw new OperatorError(`no server runs ${names}: start one, and ask again`);
    };
    await checkOwners(parked);
    const requested: Requested[] = [];
    for (const { timers: name, key: lane } of stuck) {
      const consumer = timersId(name);
      const { id, state } = await consumers.ask({ consumer, kind: 'skip', lane, by: OPERATOR.id });
      requested.push({ kind: 'timers', name, requestId: id, state });
    }
    requested.push(...(await control.skip(stream, OPERATOR)));
    const items = await outcomes({ control, checkOwners, signal }, requested);
    say({ stream, items }, () => items.map((item) => lineOf(stream, item)).join('\n'));
    return items.every(({ state, error }) => state === 'done' && error === null) ? 0 : 1;
  });

interface Waiting {
  readonly control: StreamSkip;
  /** @throws If no server runs one of the consumers. */
  readonly checkOwners: (items: readonly Requested[]) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Waits until each request is carried out. @throws {@link OperatorError} once no server would. */
const outcomes = async (
  { control, checkOwners, signal }: Waiting,
  requested: readonly Requested[],
): Promise<readonly SkipOutcome[]> => {
  const done: SkipOutcome[] = [];
  for (const item of requested) {
    const { requestId } = item;
    if (requestId === null) {
      done.push({ ...item, error: null });
      continue;
    }
    const look = () => control.request(requestId);
    let lackedSince: number | null = null;
    const between = async () => {
      try {
        await checkOwners([item]);
        lackedSince = null;
      } catch (error) {
        // Another server takes over within this time.
        lackedSince ??= performance.now();
        if (performance.now() - lackedSince > LEASE_SILENT_MAX_MS) throw error;
      }
    };
    const { state, error, result } = await requestEnded({
      look,
      work: 'the skips are',
      signal,
      between,
    });
    const again = result?.['parkedAgain'] as { readonly error: string } | undefined;
    done.push({ ...item, state, error: error ?? again?.error ?? null });
  }
  return done;
};

const preview = (stream: string, parked: readonly Parked[]): string =>
  parked.length === 0
    ? `${stream} is parked nowhere`
    : `${tableOf([
        ['in', 'name', 'revision', 'due', 'later', 'why'],
        ...parked.map(({ kind, name, revision, dueAt, skipped, error }) =>
          [kind, name, revision ?? '-', dueAt ?? '-', skipped, error ?? ''].map(String),
        ),
      ])}\nnothing was skipped: say --yes`;

const lineOf = (stream: string, { kind, name, state, error }: SkipOutcome): string => {
  if (state !== 'done') return `${kind} ${name}: ${state}${error === null ? '' : `: ${error}`}`;
  if (error !== null) return `${kind} ${name}: ${stream} is parked again: ${error}`;
  return `${kind} ${name}: goes on without it`;
};

const OPERATOR = { kind: 'system', id: 'atrium skip' } as const;
