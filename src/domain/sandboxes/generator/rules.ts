/** The diagnostic rules of a new sandbox, which find its deliberate faults. */
import type { Condition } from '../../telemetry/rules.ts';

export interface SeededRule extends Condition {
  readonly title: string;
  readonly severity: string;
  readonly pointClass: string;
}

export const seededRules: readonly SeededRule[] = [
  {
    title: 'Damper stays wide open',
    severity: 'medium',
    pointClass: 'Damper_Position_Command',
    comparison: 'gte',
    threshold: 100,
    forSeconds: 3_600,
  },
  {
    title: 'Stuffy room',
    severity: 'low',
    pointClass: 'Zone_CO2_Level_Sensor',
    comparison: 'gt',
    threshold: 1_000,
    forSeconds: 900,
  },
];
