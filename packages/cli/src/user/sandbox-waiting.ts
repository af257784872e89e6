/** Waiting for a sandbox at the terminal. */
import { SandboxNotReadyError, type Atrium } from '../../../sdk/src/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandFailed, interrupted } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { interruption } from '../terminal/interrupts.ts';
import type { Sandbox } from './platform.ts';

export interface WaitingOptions {
  readonly wait?: true;
  /** Seconds. */
  readonly timeout?: number;
}

/**
 * The sandbox once it is ready; its phase is shown meanwhile.
 *
 * @throws {@link CommandFailed} if it has failed; with the exit code 3 where it takes too long, and
 *   with 130 at Ctrl-C, while it goes on to be provisioned.
 */
export const whenReady = async (
  client: Atrium,
  sandboxId: string,
  { options: { timeout }, terminal }: Invocation<WaitingOptions>,
): Promise<Sandbox> => {
  const progress = await terminal.progress(`Provisioning ${sandboxId}`);
  const stopped = interruption();
  const again = `atrium sandbox get ${sandboxId} --wait`;
  try {
    const sandbox = await client.sandboxes.whenReady(sandboxId, {
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
      signal: stopped.signal,
      onProgress: ({ name, progress: { phase, percent } }) =>
        progress.say(`Provisioning ${name}: ${phase}, ${percent} %`),
    });
    return sandbox;
  } catch (error) {
    const signal = stopped.by();
    if (signal !== null)
      throw interrupted(`the server continues to provision it; wait again with: ${again}`, signal);
    if (!(error instanceof SandboxNotReadyError)) throw error;
    if (error.sandbox.status === 'failed') throw new CommandFailed(error.message, error);
    throw new CommandFailed(
      `${sandboxId} is still being provisioned; wait again with: ${again}`,
      error,
      exitCodes.stillProvisioning,
    );
  } finally {
    stopped.release();
    progress.end();
  }
};
