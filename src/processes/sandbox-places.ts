/**
 * A request confirms its place at once. Here it is confirmed again, for requests that were
 * interrupted. The provisioning releases places, once nothing is left of their sandboxes.
 */
import type { AllowanceCommand } from '../domain/allowance/allowance.ts';
import type { SandboxEvent } from '../domain/sandbox/events.ts';
import { sandboxCodec } from '../store/codecs.ts';
import type { Allowances } from '../store/repositories/sandboxes.ts';
import { commandsTo, type CommandEffect } from './effects.ts';
import type { Process } from './process.ts';

interface AboutPlace extends CommandEffect<AllowanceCommand> {
  readonly kind: 'place';
}

interface Held {
  readonly developer: string;
  readonly placeId: string;
}

export const sandboxPlaces = (
  allowances: Pick<Allowances, 'give'>,
): Process<SandboxEvent, undefined, AboutPlace> => ({
  name: 'sandbox-places',
  categories: ['sandbox'],
  codec: sandboxCodec,
  on: {
    SandboxRequested: ({ event }) => [confirm(event)],
    SandboxResetRequested: ({ event }) => [confirm(event)],
  },
  effects: { place: commandsTo(allowances) },
});

const confirm = ({ developer, placeId }: Held): AboutPlace => ({
  kind: 'place',
  id: developer,
  command: { type: 'ConfirmPlace', placeId },
});
