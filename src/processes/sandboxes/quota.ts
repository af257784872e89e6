/**
 * Confirms the quota slots of interrupted requests; other requests confirm theirs themselves. The
 * provisioning releases slots, once the databases of their sandboxes are gone.
 */
import type { AllowanceCommand } from '../../domain/sandboxes/allowance.ts';
import type { SandboxEvent } from '../../domain/sandboxes/events.ts';
import { sandboxCodec } from '../../domain/sandboxes/codecs.ts';
import type { Allowances } from '../../use-cases/sandboxes/sandboxes.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import type { Process } from '../../engine/processes/process.ts';

interface SlotCommand extends CommandEffect<AllowanceCommand> {
  readonly kind: 'place';
}

interface Held {
  readonly developer: string;
  readonly placeId: string;
}

export const sandboxQuotaProcess = (
  allowances: Pick<Allowances, 'give'>,
): Process<SandboxEvent, undefined, SlotCommand> => ({
  name: 'sandbox-places',
  categories: ['sandbox'],
  codec: sandboxCodec,
  on: {
    SandboxRequested: ({ event }) => [confirm(event)],
    SandboxResetRequested: ({ event }) => [confirm(event)],
  },
  effects: { place: commandsTo(allowances) },
});

const confirm = ({ developer, placeId }: Held): SlotCommand => ({
  kind: 'place',
  id: developer,
  command: { type: 'ConfirmPlace', placeId },
});
