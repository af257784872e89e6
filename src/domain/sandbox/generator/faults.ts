/** What is wrong in a building on purpose, so that diagnostic rules have something to find. */
import { DAY_MS } from '../../calendar.ts';
import type { PointModel } from './points.ts';
import { chanceAt } from './random.ts';

/** A damper that stays open, a sensor that drifts, one that is silent, a fan that runs at night. */
export type Fault = 'stuck' | 'drift' | 'dead' | 'night';

/** What is wrong with it at times; one element in 40 has a fault. */
export const faultOf = ({ pointClass, elementHash }: AtFault): Fault | null =>
  chanceAt(elementHash, 3) < 1 / 40 ? (faultsOf[pointClass] ?? null) : null;

/** Three days of every nine; which ones depends on the seed. */
export const isFaulty = ({ elementHash }: AtFault, atMs: number): boolean =>
  Math.floor(atMs / (3 * DAY_MS)) % 3 === Math.floor(3 * chanceAt(elementHash, 4));

type AtFault = Pick<PointModel, 'pointClass' | 'elementHash'>;

/** Which points show it. */
const faultsOf: Readonly<Record<string, Fault>> = {
  Damper_Position_Command: 'stuck',
  Zone_Air_Temperature_Sensor: 'drift',
  Zone_CO2_Level_Sensor: 'dead',
  Fan_On_Off_Status: 'night',
  Fan_Electric_Power_Sensor: 'night',
};
