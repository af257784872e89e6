/** `atrium trigger`. */
import type { Atrium } from '../../../sdk/src/index.ts';
import { AtriumError } from '../../../sdk/src/problems.ts';
import { CommandFailed, usageError } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { platformOf, type Platform, type SandboxOption } from './platform.ts';
import { CONSEQUENCES, NOT_TRIGGERED, TRIGGERED, type TriggeredEvent } from './trigger-names.ts';
import { openFault, updatePoint } from './trigger-telemetry.ts';
import { breachSla, raiseTicket, updateTicket, warnOfSla } from './trigger-tickets.ts';
import { testWebhooks } from './trigger-webhooks.ts';

interface TriggerOptions extends SandboxOption {
  readonly list?: true;
  readonly building?: string;
  readonly point?: string;
}

/** Where something is to happen. */
export interface Scene {
  readonly client: Atrium;
  readonly building: string | undefined;
  readonly point: string | undefined;
}

/** What was done, for programs and in a sentence. */
export interface Deed {
  readonly value: object;
  readonly words: string;
}

const deeds: Readonly<Record<TriggeredEvent, (scene: Scene) => Promise<Deed>>> = {
  'building.point.updated': updatePoint,
  'building.alarm.triggered': openFault,
  'building.fault.created': openFault,
  'service-desk.ticket.created': raiseTicket,
  'service-desk.ticket.updated': updateTicket,
  'service-desk.ticket.sla_warning': warnOfSla,
  'service-desk.ticket.sla_breached': breachSla,
  'webhook.test': testWebhooks,
};

export const trigger = async (invocation: Invocation<TriggerOptions>): Promise<void> => {
  const { words, options, terminal } = invocation;
  if (options.list) return listEvents(terminal);
  const event = words[0] as TriggeredEvent | undefined;
  if (event === undefined) throw usageError('name an event; atrium trigger --list lists them');
  const why = NOT_TRIGGERED[event];
  if (why !== undefined) throw new CommandFailed(`${event} cannot be triggered: ${why}`);
  const platform = await platformOf(invocation);
  await refuseOutsideSandboxes(platform);
  const { building, point } = options;
  const { value, words: did } = await deeds[event]({ client: platform.client, building, point });
  terminal.print({ event, ...value }, () => `${event}: ${did}`);
};

const listEvents = (terminal: Terminal): Promise<void> => {
  const items = [
    ...TRIGGERED.map((event) => ({ event, does: CONSEQUENCES[event], why: null })),
    ...Object.entries(NOT_TRIGGERED).map(([event, why]) => ({ event, does: null, why })),
  ];
  return terminal.printTable(
    { items },
    {
      head: ['event', 'what it does'],
      rows: items.map(({ event, does, why }) => [event, does ?? `cannot be triggered: ${why}`]),
      empty: '',
    },
  );
};

/**
 * A sandbox's own host serves no sandboxes.
 *
 * @throws {@link CommandFailed} on the server itself, whose data are real.
 */
const refuseOutsideSandboxes = async ({ client, sandbox }: Platform): Promise<void> => {
  if (sandbox !== null) return;
  const isSandbox = await client.GET('/api/v1/sandboxes').then(
    () => false,
    (error: unknown) => {
      if (!AtriumError.is(error)) throw error;
      return error.status === 404;
    },
  );
  if (!isSandbox)
    throw new CommandFailed('trigger changes data, so it works in a sandbox only: use --sandbox');
};
