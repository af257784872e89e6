import type { Calls } from './calls.ts';
import type { components } from './openapi.ts';
import { isPassing } from './problems.ts';
import { pause } from './retries.ts';

type Sandbox = components['schemas']['Sandbox'];
type NewSandbox = components['schemas']['NewSandbox'];
/** The server has a default for each optional member. */
type Draft = Pick<NewSandbox, 'name'> & Partial<NewSandbox>;

/** @stable */
export interface WaitOptions {
  /** Timeout in milliseconds; provisioning continues after it. Default 900,000 (15 minutes). */
  readonly timeoutMs?: number;
  /** Polling interval in milliseconds. Default 5,000. */
  readonly lookMs?: number;
  /** Called with each record that was polled. */
  readonly onProgress?: (sandbox: Sandbox) => void;
  /** Ends the waiting, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** @stable */
export interface Sandboxes {
  /**
   * Creates a sandbox. With `wait` it is `ready` when the promise resolves; without, it is being
   * provisioned.
   *
   * @throws {@link SandboxNotReadyError} if it has failed, or is not ready in time.
   */
  readonly create: (sandbox: Draft & WaitOptions & { readonly wait?: boolean }) => Promise<Sandbox>;
  /**
   * The sandbox once it is `ready`: polled every `lookMs`, also through a restart of the server.
   *
   * @throws {@link SandboxNotReadyError} if it has failed, or is not ready in time.
   */
  readonly whenReady: (sandboxId: string, options?: WaitOptions) => Promise<Sandbox>;
}

/** Its status says whether it has failed, or is still being provisioned. @stable */
export class SandboxNotReadyError extends Error {
  override readonly name = 'SandboxNotReadyError';
  readonly sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    super(
      sandbox.status === 'failed'
        ? `Sandbox ${sandbox.sandboxId} has failed: ${sandbox.failureReason}`
        : `Sandbox ${sandbox.sandboxId} is still being provisioned.`,
    );
    this.sandbox = sandbox;
  }
}

const LOOK_MS = 5_000;
const TIMEOUT_MS = 15 * 60_000;

export const sandboxesOf = (client: Calls): Sandboxes => {
  const whenReady: Sandboxes['whenReady'] = async (sandboxId, options = {}) => {
    const { timeoutMs = TIMEOUT_MS, lookMs = LOOK_MS, onProgress, signal } = options;
    const until = performance.now() + timeoutMs;
    for (;;) {
      const sandbox = await looked(client, sandboxId, { until, lookMs, signal });
      onProgress?.(sandbox);
      if (sandbox.status === 'ready') return sandbox;
      if (sandbox.status === 'failed' || performance.now() + lookMs > until)
        throw new SandboxNotReadyError(sandbox);
      await pause(lookMs, signal);
    }
  };

  return {
    whenReady,
    async create({ wait = false, timeoutMs, lookMs, onProgress, signal, ...draft }) {
      const { data } = await client.POST('/api/v1/sandboxes', {
        body: draft,
        ...(signal && { signal }),
      });
      if (!wait) return data;
      onProgress?.(data);
      return whenReady(data.sandboxId, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(lookMs === undefined ? {} : { lookMs }),
        ...(onProgress && { onProgress }),
        ...(signal && { signal }),
      });
    },
  };
};

interface Looking {
  readonly until: number;
  readonly lookMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A server that is being restarted is asked again, until the time is up. */
const looked = async (
  client: Calls,
  id: string,
  { until, lookMs, signal }: Looking,
): Promise<Sandbox> => {
  for (;;) {
    try {
      const { data } = await client.GET('/api/v1/sandboxes/{id}', {
        params: { path: { id } },
        ...(signal && { signal }),
      });
      return data;
    } catch (error) {
      if (signal?.aborted || !isPassing(error) || performance.now() + lookMs > until) throw error;
      await pause(lookMs, signal);
    }
  }
};
