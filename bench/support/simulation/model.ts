/** What is simulated: stations with servers, and classes of work that pass through them. */

/** A queue, first come first served, in front of equal servers. */
export interface Station {
  readonly name: string;
  /** Processes of one thread, or cores: so many steps are served at once. */
  readonly servers: number;
}

export interface Step {
  readonly station: string;
  /** Mean service time in microseconds, of one server. */
  readonly meanUs: number;
  /** Default: exponential, as for work whose size differs. */
  readonly service?: 'exponential' | 'constant';
}

export interface WorkClass {
  readonly name: string;
  /** Poisson arrivals, independent of what waits. */
  readonly perSecond: number;
  /** One after the other, until the caller has its answer. */
  readonly steps: readonly Step[];
  /** Begun by the answer, side by side: what read models and processes do with its events. */
  readonly followed?: readonly (readonly Step[])[];
  /** Its appends wake the reader of the log; not part of its lag. Default: it appends nothing. */
  readonly wakes?: {
    /** What a wake-up takes once, however many appends share it. */
    readonly steps: readonly Step[];
    /** One at the answer, and each other one at the end of the wake-up for the one before. */
    readonly appends: number;
  };
}

/** The shared reader of the log: appends that come while it rests share its next wake-up. */
export interface Reader {
  /** After a wake-up this soon after the last one it rests. */
  readonly busyUs: number;
  readonly restUs: number;
}

export interface Model {
  readonly seed: number;
  /** Arrivals are made for so long; then the simulation ends, with what still waits. */
  readonly seconds: number;
  /** Everything but counts is measured from here on. Default: 0. */
  readonly warmUpSeconds?: number;
  readonly stations: readonly Station[];
  readonly classes: readonly WorkClass[];
  /** Default: appends wake no reader. */
  readonly reader?: Reader;
}
