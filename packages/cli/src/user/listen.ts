/** `atrium listen`. */
import { randomBytes } from 'node:crypto';
import type { LiveEvent } from '../../../sdk/src/live.ts';
import { CommandFailed, interrupted } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { interruption, type Interruption } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { deliveriesTo, LISTEN_ATTEMPTS_DEFAULT, type Deliveries } from './listen-deliveries.ts';
import { post, type Attempt, type Receiver } from './listen-post.ts';
import { keepUndelivered, undeliveredIn } from './listen-undelivered.ts';
import { buildingOf, platformOf, type Platform, type SandboxOption } from './platform.ts';
import { liveItems } from './live-items.ts';

interface ListenOptions extends SandboxOption {
  readonly forwardTo: string;
  readonly building?: string;
  readonly events?: readonly string[];
  readonly secret?: string;
  readonly since?: string;
  readonly count?: number;
  readonly attempts?: number;
  /** A file. */
  readonly resend?: string;
}

/** The events that webhooks deliver; other live events are not forwarded. */
const DELIVERED: readonly string[] = [
  'building.point.updated',
  'building.alarm.triggered',
  'building.element.status_changed',
  'building.changeset.applied',
];

export const listen = async (invocation: Invocation<ListenOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const receiver = receiverOf(options);
  const platform = await platformOf(invocation);
  const buildingId = await buildingOf(platform.client, options.building);
  const again = options.resend === undefined ? [] : await undeliveredIn(options.resend);
  const stopped = interruption();
  const deliveries = deliveriesTo({
    post: (event, attempt) => post(receiver, platform.url, event, attempt, stopped.signal),
    attempted: (attempt, retryInMs) => printAttempt(terminal, attempt, retryInMs),
    attemptsMax: options.attempts ?? LISTEN_ATTEMPTS_DEFAULT,
    signal: stopped.signal,
  });
  const ready = () => {
    const { url: forwardTo, secret } = receiver;
    terminal.print({ buildingId, forwardTo, secret }, () => `The secret is ${secret}`);
    terminal.notice(`Listening to building ${buildingId}; Ctrl-C ends it.`);
  };
  try {
    for (const event of again) await deliveries.add(event);
    await forward(platform, buildingId, { options, terminal, stopped, deliveries, ready });
    await deliveries.settled();
  } finally {
    stopped.release();
    const { resend } = options;
    if (resend !== undefined) await keepUndelivered(resend, deliveries.undelivered());
  }
  end(terminal, deliveries.undelivered(), { options, stopped });
};

const receiverOf = ({
  forwardTo,
  secret = drawnSecret(),
  events = [],
}: ListenOptions): Receiver => {
  if (!/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? ''))
    throw new CommandFailed(`not an address to post to: ${forwardTo}`);
  const unknown = events.find((event) => !DELIVERED.includes(event));
  if (unknown !== undefined)
    throw new CommandFailed(
      `webhooks do not have the event ${unknown}; they have: ${DELIVERED.join(', ')}`,
    );
  if (!/^whsec_./.test(secret)) throw new CommandFailed('a secret begins with whsec_');
  return { url: forwardTo, secret };
};

const drawnSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

interface Listening {
  readonly options: ListenOptions;
  readonly terminal: Terminal;
  readonly stopped: Interruption;
  readonly deliveries: Deliveries;
  /** Called once, when it listens. */
  readonly ready: () => void;
}

/** Until it is interrupted, or as many events have come as were asked for. */
const forward = async (
  platform: Platform,
  buildingId: string,
  { options, terminal, stopped, deliveries, ready }: Listening,
): Promise<void> => {
  const { since = null, events = DELIVERED } = options;
  // Without a position it begins when the server says so; with one, it has begun already.
  let isReady = since !== null;
  if (isReady) ready();
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const item of liveItems(platform, buildingId, { since, signal: stopped.signal })) {
    if (item.resync && isReady)
      terminal.notice('More events were missed than can be replayed: some are left out.');
    if (item.resync && !isReady) ready();
    isReady = true;
    if (item.resync || !events.includes(item.event)) continue;
    await deliveries.add(item);
    left -= 1;
    if (left === 0) return;
  }
};

const printAttempt = (terminal: Terminal, attempt: Attempt, retryInMs: number | null): void =>
  terminal.print({ ...attempt, retryInMs }, () => {
    const { event, status, error, durationMs } = attempt;
    const again = retryInMs === null ? '' : `  again in ${retryInMs / 1_000} s`;
    return printable(`${event}  ${status ?? error}  ${durationMs} ms${again}`);
  });

/** @throws {@link CommandFailed} if it was interrupted, or an event was not delivered. */
const end = (
  terminal: Terminal,
  undelivered: readonly LiveEvent[],
  { options, stopped }: Pick<Listening, 'options' | 'stopped'>,
): void => {
  for (const { event, position, timestamp } of undelivered)
    terminal.print({ undelivered: true, event, position, timestamp }, () =>
      printable(`not delivered: ${event} of ${timestamp}, position ${position}`),
    );
  const count = undelivered.length;
  const signal = stopped.by();
  if (count === 0 && signal === null) return;
  const { resend } = options;
  const how =
    resend === undefined
      ? 'use --resend FILE to keep them for the next run'
      : `the same command with --resend ${resend} sends them first`;
  const said =
    count === 0
      ? 'every event was delivered'
      : `${count} ${count === 1 ? 'event was' : 'events were'} not delivered; ${how}`;
  throw signal === null ? new CommandFailed(said) : interrupted(`ended; ${said}`, signal);
};
