import { LOG_PAGE_BYTES_MAX } from '../limits.ts';

/** Which events a page has room for, by their bytes; the first always fits. */
export class PageBytes {
  #bytes = 0;
  #isCut = false;

  /** `false` for the first event that does not fit, and for each one after it. */
  fits(bytes: number): boolean {
    if (this.#bytes > 0 && this.#bytes + bytes > LOG_PAGE_BYTES_MAX) this.#isCut = true;
    this.#bytes += bytes;
    return !this.#isCut;
  }

  /** An event did not fit. */
  get isCut(): boolean {
    return this.#isCut;
  }
}

/**
 * How many events are requested from a server that sends all of them, even those that no longer fit
 * the page: as many as fitted the last one, up to twice as many after each page that was full.
 */
export class PageSize {
  #events = Infinity;

  /** @param limit The events that the caller asks for. */
  of(limit: number): number {
    return Math.min(limit, this.#events);
  }

  /** @param requested The events that were requested. */
  learn({ requested, received, isCut }: Learned): void {
    if (isCut) this.#events = received;
    else if (received === requested && requested === this.#events) this.#events = 2 * requested;
  }
}

interface Learned {
  readonly requested: number;
  readonly received: number;
  readonly isCut: boolean;
}
