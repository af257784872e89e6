/** Bytes that requests hold in memory while a client sends or receives. contract.md section 1. */
import type { FastifyRequest } from 'fastify';
import { sourceNetwork } from '../../domain/public-reports/source-network.ts';
import type { NoPermit, PermitHolder } from '../../engine/concurrency/fair-semaphore.ts';
import { permitHolderOf } from './permits.ts';

export interface HeldBytesBounds {
  readonly ofCaller: number;
  /** Below {@link inAll}, so that no organisation can starve another. */
  readonly ofOrganisation: number;
  readonly inAll: number;
}

/** Counts held bytes, of each caller, of each organisation and in all. */
export class HeldBytes {
  readonly #bounds: HeldBytesBounds;
  readonly #organisations = new Map<string | null, Organisation>();
  #inAll = 0;

  constructor(bounds: HeldBytesBounds) {
    this.#bounds = bounds;
  }

  /** Whose bound `bytes` more would exceed; `null`: none. */
  exceeds({ caller, organisation }: PermitHolder, bytes: number): NoPermit['of'] | null {
    const { ofCaller, ofOrganisation, inAll } = this.#bounds;
    const own = this.#organisations.get(organisation);
    if ((own?.callers.get(caller) ?? 0) + bytes > ofCaller) return 'caller';
    if ((own?.bytes ?? 0) + bytes > ofOrganisation) return 'organisation';
    return this.#inAll + bytes > inAll ? 'all' : null;
  }

  /** The holder of most bytes; `null`: no one holds any. */
  largest(among: Iterable<string | null> = this.#organisations.keys()): PermitHolder | null {
    let largest: PermitHolder | null = null;
    let most = 0;
    for (const organisation of among)
      for (const [caller, bytes] of this.#organisations.get(organisation)?.callers ?? []) {
        if (bytes <= most) continue;
        most = bytes;
        largest = { caller, organisation };
      }
    return largest;
  }

  /** @param bytes Negative: no longer held. */
  add({ caller, organisation }: PermitHolder, bytes: number): void {
    const own = this.#organisations.get(organisation) ?? { callers: new Map(), bytes: 0 };
    const held = (own.callers.get(caller) ?? 0) + bytes;
    if (held === 0) own.callers.delete(caller);
    else own.callers.set(caller, held);
    own.bytes += bytes;
    if (own.callers.size === 0) this.#organisations.delete(organisation);
    else this.#organisations.set(organisation, own);
    this.#inAll += bytes;
  }
}

interface Organisation {
  readonly callers: Map<string, number>;
  bytes: number;
}

/** Whose bytes they are: those of the caller; without a credential, those of the network. */
export const holderOf = (request: FastifyRequest): PermitHolder =>
  request.caller
    ? permitHolderOf(request)
    : { caller: sourceNetwork(request.ip), organisation: null };
