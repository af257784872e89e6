import type { Held, SharedLeases } from '../engine/consumers/leases.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';

/** Another process hosts it. */
export interface RemoteHost {
  /** Where that one is reached; `null`: it did not say. */
  readonly address: string | null;
}

export type Hosted = Pick<SandboxView, 'sandboxId' | 'generation'>;

/**
 * The lease of all that a sandbox is made of. A reset makes another database beside the old one, so
 * that each generation has its own.
 */
export const leaseOf = ({ sandboxId, generation }: Hosted): string =>
  `sandbox/${sandboxId}/${generation}`;

/** Makes this process the one that hosts a sandbox, or finds the one that does. */
export const claimsOn =
  (leases: Pick<SharedLeases, 'take' | 'holderOf'>) =>
  async (sandbox: Hosted): Promise<Held | RemoteHost> => {
    const name = leaseOf(sandbox);
    // Who asks has no lease of it here: one that is still this process's is about to be given back.
    const elsewhere = async () => {
      const holder = await leases.holderOf(name);
      return holder && !holder.isThis ? { address: holder.address } : null;
    };
    return (
      (await elsewhere()) ??
      (await leases.take(name)) ??
      // Somebody was faster.
      (await elsewhere()) ?? { address: null }
    );
  };
