/** The steps of provisioning, in order. Each is idempotent. */

export const phases = ['database', 'building', 'telemetry', 'stack', 'health'] as const;

/** The current phase. */
export type Phase = (typeof phases)[number];

/** The progress shown in a record. A sandbox is queued until its first phase begins. */
export interface Progress {
  readonly phase: 'queued' | Phase | 'ready';
  /** 0 to 100: typical progress at the beginning of the phase. */
  readonly percent: number;
}

const percents: Readonly<Record<Progress['phase'], number>> = {
  queued: 0,
  database: 0,
  building: 10,
  telemetry: 25,
  stack: 85,
  health: 95,
  ready: 100,
};

export const progressAt = (phase: Progress['phase']): Progress => ({
  phase,
  percent: percents[phase],
});

/** The next phase; `null` after the last one. */
export const phaseAfter = (phase: Phase): Phase | null => phases[phases.indexOf(phase) + 1] ?? null;
