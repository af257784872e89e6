/** Waiting for a sandbox at the terminal. */
import { SandboxNotReadyError, type Atrium } from '../../../sdk/src/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { cancelled, CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
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
 *   as cancelled at Ctrl-C, while it goes on to be provisioned.
 */
export const whenReady = async (
  client: Atrium,
  sandboxId: string,
  { options: { timeout }, terminal }: Invocation<WaitingOptions>,
): Promise<Sandbox> => {
  const progress = await terminal.progress(`Provisioning ${sandboxId}`);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  const again = `atrium sandbox get ${sandboxId} --wait`;
  try {
    const sandbox = await client.sandboxes.whenReady(sandboxId, {
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
      signal: interrupted.signal,
      onProgress: ({ name, progress: { phase, percent } }) =>
        progress.say(`Provisioning ${name}: ${phase}, ${percent} %`),
    });
    return sandbox;
  } catch (error) {
    if (interrupted.signal.aborted)
      throw cancelled(`it goes on to be provisioned; wait again with: ${again}`);
    if (!(error instanceof SandboxNotReadyError)) throw error;
    if (error.sandbox.status === 'failed') throw new CommandFailed(error.message, error);
    throw new CommandFailed(
      `${sandboxId} is still being provisioned; wait again with: ${again}`,
      error,
      exitCodes.stillProvisioning,
    );
  } finally {
    process.off('SIGINT', interrupt);
    progress.end();
  }
};
