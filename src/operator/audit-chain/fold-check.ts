import { headAfter, type Link } from '../../use-cases/keys/audit-chain.ts';

/** What a chain's hash was once it had all links up to `revision`. */
export interface KnownHead {
  readonly revision: number;
  readonly head: Buffer;
}

/** Where links stop leading to the hashes that are known. */
export interface Divergence {
  /** The last known hash that they lead to; `null`: they lead to none. */
  readonly after: number | null;
  /** The first one that they do not lead to. */
  readonly upTo: number;
}

/** Adds links to a chain, and holds it against hashes of it that are known. */
export class FoldCheck {
  readonly #known: readonly KnownHead[];
  #head: Buffer;
  #passed = 0;
  #divergence: Divergence | null = null;

  /** @param heads In the order of their revisions. */
  constructor(start: Buffer, heads: readonly KnownHead[]) {
    this.#head = start;
    this.#known = heads;
  }

  /** Of all links so far. */
  get head(): Buffer {
    return this.#head;
  }

  add(link: Link): void {
    this.#pass(link.revision);
    this.#head = headAfter(this.#head, link);
  }

  /** There are no more. @returns `null` where they lead to every hash that is known. */
  end(): Divergence | null {
    this.#pass(Infinity);
    return this.#divergence;
  }

  /** Every known hash before `revision` is due by now. */
  #pass(revision: number): void {
    for (;;) {
      const due = this.#known[this.#passed];
      if (!due || due.revision >= revision) return;
      if (!this.#divergence && !due.head.equals(this.#head))
        this.#divergence = {
          after: this.#known[this.#passed - 1]?.revision ?? null,
          upTo: due.revision,
        };
      this.#passed += 1;
    }
  }
}
