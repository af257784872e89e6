/**
 * The timers of a sandbox: its provisioning timeout, the warning before its end, and its end. A row
 * only holds the due time; the sandbox decides.
 */
import type { SandboxCommand } from '../../domain/sandboxes/sandbox.ts';
import { sandboxList, type SandboxListRow } from '../../projections/sandboxes/list.ts';
import type { Sandboxes } from '../../use-cases/sandboxes/sandboxes.ts';
import type { ClockCheck } from '../../engine/consumers/clock-check.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import type { DueTable, TimerTable } from '../../engine/timers/timer-table.ts';

export const sandboxDue = {
  name: 'sandbox-due',
  projection: sandboxList,
  dueAt: 'dueAt',
} as const satisfies DueTable;

interface AboutSandbox extends CommandEffect<SandboxCommand> {
  readonly kind: 'sandbox';
}

export const sandboxTimes = (
  sandboxes: Pick<Sandboxes, 'give'>,
  isTrusted: ClockCheck,
): TimerTable<SandboxListRow, AboutSandbox> => ({
  ...sandboxDue,
  isTrusted,
  fire: ({ sandboxId, organisation }) => ({
    kind: 'sandbox',
    id: sandboxId,
    organisation,
    command: { type: 'LookAtTime' },
  }),
  effects: { sandbox: commandsTo(sandboxes) },
});
