/** A read under way, and the one that was asked for since it was sent. */
interface Going<Answer> {
  readonly running: Promise<Answer>;
  next: Promise<Answer> | null;
}

/**
 * What streams hold, asked of the log once for all who wait. An answer only serves those who
 * asked before its question was sent: whoever comes later waits for the next one, so that nobody
 * is shown what was true before they asked.
 */
export class SharedReads<Answer> {
  readonly #read: (stream: string) => Promise<Answer>;
  readonly #going = new Map<string, Going<Answer>>();

  constructor(read: (stream: string) => Promise<Answer>) {
    this.#read = read;
  }

  of(stream: string): Promise<Answer> {
    const going = this.#going.get(stream);
    if (!going) return this.#start(stream);
    const go = () => this.#start(stream);
    going.next ??= going.running.then(go, go);
    return going.next;
  }

  #start(stream: string): Promise<Answer> {
    const going: Going<Answer> = { running: this.#read(stream), next: null };
    this.#going.set(stream, going);
    const settled = () => {
      if (!going.next) this.#going.delete(stream);
    };
    going.running.then(settled, settled);
    return going.running;
  }
}
