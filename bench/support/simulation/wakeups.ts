import type { Reader, Step, WorkClass } from './model.ts';

export interface Append {
  readonly of: WorkClass;
  /** Number of sequential appends after this one. */
  readonly left: number;
}

/** Groups appends by wake-ups of the log's reader. Times are in microseconds. */
export class Wakeups {
  readonly #reader: Reader;
  #appends: Append[] = [];
  #lastUs = -Infinity;
  #restsUntilUs = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** @returns Time of the wake-up for it; `null`: a wake-up is already scheduled. */
  append(append: Append, nowUs: number): number | null {
    this.#appends.push(append);
    return this.#appends.length === 1 ? Math.max(nowUs, this.#restsUntilUs) : null;
  }

  /**
   * @returns The appends that share this wake-up, and its steps: the most expensive one per
   *   station, because a page for more consumers includes the work for fewer.
   */
  wake(nowUs: number): { readonly appends: readonly Append[]; readonly steps: readonly Step[] } {
    if (nowUs - this.#lastUs < this.#reader.busyUs)
      this.#restsUntilUs = nowUs + this.#reader.restUs;
    this.#lastUs = nowUs;
    const appends = this.#appends;
    this.#appends = [];
    const dearest = new Map<string, Step>();
    for (const step of new Set(appends.flatMap(({ of }) => of.wakes?.steps ?? [])))
      if (step.meanUs >= (dearest.get(step.station)?.meanUs ?? 0)) dearest.set(step.station, step);
    return { appends, steps: [...dearest.values()] };
  }
}
