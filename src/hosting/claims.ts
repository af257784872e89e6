import type { Held, SharedLeases } from '../engine/consumers/leases.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';

/** Another process hosts the sandbox. */
export interface RemoteHost {
  /** That process's address; `null` if it published none. */
  readonly address: string | null;
}

export type Hosted = Pick<SandboxView, 'sandboxId' | 'generation'>;

/**
 * The lease of a sandbox's resources. A reset creates another database beside the old one, so each
 * generation has its own.
 */
export const leaseOf = ({ sandboxId, generation }: Hosted): string =>
  `sandbox/${sandboxId}/${generation}`;

/** The lease under which a process copies a sandbox; the process that hosts it yields. */
export const copyLeaseOf = (sandbox: Hosted): string => `${leaseOf(sandbox)}/copy`;

/** Claims the sandbox for this process, or finds the process that hosts it. */
export const claimsOn =
  (leases: Pick<SharedLeases, 'take' | 'holderOf'>) =>
  async (sandbox: Hosted): Promise<Held | RemoteHost> => {
    const name = leaseOf(sandbox);
    // A lease of this process is about to be released, because the caller holds none.
    const elsewhere = async () => {
      const holder = await leases.holderOf(name);
      return holder && !holder.isThis ? { address: holder.address } : null;
    };
    return (
      (await elsewhere()) ??
      (await leases.take(name)) ??
      // Another process was faster.
      (await elsewhere()) ?? { address: null }
    );
  };
