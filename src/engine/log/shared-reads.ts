/** A read in flight, and the next one for callers that came after it was sent. */
interface Going<Answer> {
  readonly running: Promise<Answer>;
  next: Promise<Answer> | null;
}

/**
 * Reads of streams, each shared by all callers that wait for it. A read serves only callers that
 * came before it was sent: a later caller waits for the next one, so that no caller receives a
 * state older than its call.
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
