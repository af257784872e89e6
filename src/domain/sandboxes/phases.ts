/** The steps of provisioning, in their order. Each can be done again without harm. */

export const phases = ['database', 'building', 'telemetry', 'stack', 'health'] as const;

/** The phase that is under way. */
export type Phase = (typeof phases)[number];

/** What a record shows as its progress. A sandbox is queued until its first phase begins. */
export interface Progress {
  readonly phase: 'queued' | Phase | 'ready';
  /** 0 to 100: how far a sandbox of the usual size is when the phase begins. */
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

/** The phase that follows; `null` after the last one. */
export const phaseAfter = (phase: Phase): Phase | null => phases[phases.indexOf(phase) + 1] ?? null;
