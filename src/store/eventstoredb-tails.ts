/** A read under way, and the one that was asked for since it was sent. */
interface Going {
  readonly running: Promise<number | null>;
  next: Promise<number | null> | null;
}

/**
 * Where streams are, asked of the leader once for all who wait. An answer only serves those who
 * asked before its question was sent: whoever comes later waits for the next one, so that nobody
 * is shown what was true before they asked.
 */
export class Tails {
  readonly #read: (stream: string) => Promise<number | null>;
  readonly #going = new Map<string, Going>();

  constructor(read: (stream: string) => Promise<number | null>) {
    this.#read = read;
  }

  revisionOf(stream: string): Promise<number | null> {
    const going = this.#going.get(stream);
    if (!going) return this.#start(stream);
    const go = () => this.#start(stream);
    going.next ??= going.running.then(go, go);
    return going.next;
  }

  #start(stream: string): Promise<number | null> {
    const going: Going = { running: this.#read(stream), next: null };
    this.#going.set(stream, going);
    const settled = () => {
      if (!going.next) this.#going.delete(stream);
    };
    going.running.then(settled, settled);
    return going.running;
  }
}
