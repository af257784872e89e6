/** The simulated model: stations with servers, and classes of work that pass through them. */

/** A FIFO queue in front of equal servers. */
export interface Station {
  readonly name: string;
  /** Single-threaded processes, or cores: the number of steps served at once. */
  readonly servers: number;
}

export interface Step {
  readonly station: string;
  /** Mean service time in microseconds, of one server. */
  readonly meanUs: number;
  /** Default: exponential, for work of varying size. */
  readonly service?: 'exponential' | 'constant';
}

export interface WorkClass {
  readonly name: string;
  /** Rate of Poisson arrivals, independent of the queue. */
  readonly perSecond: number;
  /** Sequential steps until the caller has its answer. */
  readonly steps: readonly Step[];
  /** Concurrent chains of steps after the answer: the work of read models and processes. */
  readonly followed?: readonly (readonly Step[])[];
  /** Wake-ups of the log's reader by its appends, not part of its lag. Default: no appends. */
  readonly wakes?: {
    /** Steps per wake-up, however many appends share it. */
    readonly steps: readonly Step[];
    /** The first is at the answer, each other one at the end of the previous one's wake-up. */
    readonly appends: number;
  };
}

/** The shared reader of the log: appends during its pause share the next wake-up. */
export interface Reader {
  /** The reader pauses after a wake-up that follows the previous one within this time. */
  readonly busyUs: number;
  readonly restUs: number;
}

export interface Model {
  readonly seed: number;
  /** Duration of arrivals, at whose end the simulation ends, whatever is in the queues. */
  readonly seconds: number;
  /** All values but counts are measured from this time on. Default: 0. */
  readonly warmUpSeconds?: number;
  readonly stations: readonly Station[];
  readonly classes: readonly WorkClass[];
  /** Default: appends wake no reader. */
  readonly reader?: Reader;
}
