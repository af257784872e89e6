import { headAfter, type Link } from '../../use-cases/keys/audit-chain.ts';

/** A recorded hash of a chain: over all links up to `revision`. */
export interface KnownHead {
  readonly revision: number;
  readonly head: Buffer;
}

/** Where the links' hash first differs from the known heads. */
export interface Divergence {
  /** Revision of the last known head that matches; `null`: none. */
  readonly after: number | null;
  /** Revision of the first known head that does not match. */
  readonly upTo: number;
}

/** Recomputes a chain's hash link by link, and compares it with the known heads. */
export class FoldCheck {
  readonly #heads: readonly KnownHead[];
  #head: Buffer;
  #passed = 0;
  #divergence: Divergence | null = null;

  /** @param heads In the order of their revisions. */
  constructor(start: Buffer, heads: readonly KnownHead[]) {
    this.#head = start;
    this.#heads = heads;
  }

  /** The hash over all links so far. */
  get head(): Buffer {
    return this.#head;
  }

  add(link: Link): void {
    this.#pass(link.revision);
    this.#head = headAfter(this.#head, link);
  }

  /** Call after the last link. @returns `null` if every known head matches. */
  end(): Divergence | null {
    this.#pass(Infinity);
    return this.#divergence;
  }

  /** Compares the known heads before `revision`. */
  #pass(revision: number): void {
    for (;;) {
      const next = this.#heads[this.#passed];
      if (!next || next.revision >= revision) return;
      if (!this.#divergence && !next.head.equals(this.#head))
        this.#divergence = {
          after: this.#heads[this.#passed - 1]?.revision ?? null,
          upTo: next.revision,
        };
      this.#passed += 1;
    }
  }
}
