/** Bytes that requests hold in memory while a client sends or receives. contract.md section 1. */
import type { FastifyRequest } from 'fastify';
import { sourceNetwork } from '../../domain/public-reports/source-network.ts';

export interface HeldBytesBounds {
  readonly ofCaller: number;
  readonly inAll: number;
}

/** Counts held bytes, of each caller and in all. */
export class HeldBytes {
  readonly #bounds: HeldBytesBounds;
  readonly #ofCaller = new Map<string, number>();
  #inAll = 0;

  constructor(bounds: HeldBytesBounds) {
    this.#bounds = bounds;
  }

  /** Whose bound `bytes` more would exceed; `null`: none. */
  exceeds(caller: string, bytes: number): 'caller' | 'all' | null {
    if ((this.#ofCaller.get(caller) ?? 0) + bytes > this.#bounds.ofCaller) return 'caller';
    return this.#inAll + bytes > this.#bounds.inAll ? 'all' : null;
  }

  /** The caller who holds most; `null`: no one holds any. */
  largest(): string | null {
    let largest: readonly [string | null, number] = [null, 0];
    for (const one of this.#ofCaller) if (one[1] > largest[1]) largest = one;
    return largest[0];
  }

  /** @param bytes Negative: no longer held. */
  add(caller: string, bytes: number): void {
    const held = (this.#ofCaller.get(caller) ?? 0) + bytes;
    if (held === 0) this.#ofCaller.delete(caller);
    else this.#ofCaller.set(caller, held);
    this.#inAll += bytes;
  }
}

/** Whose bytes they are: those of the caller; without a credential, those of the network. */
export const holderOf = ({ caller, ip }: FastifyRequest): string =>
  caller ? `${caller.actor.kind}:${caller.actor.id}` : sourceNetwork(ip);
