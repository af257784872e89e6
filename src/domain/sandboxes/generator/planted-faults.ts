/**
 * The ground truth about the deliberate faults, to score a detector with. It is derived by
 * computing the curves with and without each fault, so that it cannot contradict them.
 */
import { HOUR_MS } from '../../../engine/time/calendar.ts';
import type { ImportDocument } from '../../buildings/document.ts';
import type { FaultKind, SandboxParameters } from '../parameters.ts';
import { climateOf, type Climate, type Moment } from './climate.ts';
import { curveOf } from './curves.ts';
import { brokenPeriods, type FaultPlan, type Period } from './faults.ts';
import { pointModels, type PointModel } from './points.ts';

export interface PlantedFault extends Period {
  readonly kind: FaultKind;
  readonly elementCode: string;
  /** Codes of the points whose values it changes. */
  readonly pointCodes: readonly string[];
}

/**
 * The faults in the values of a time, by time, kind and element.
 *
 * @param range The time range of the values. Faults are cut off at its ends.
 */
export const plantedFaults = (
  parameters: SandboxParameters,
  document: ImportDocument,
  range: Period,
): readonly PlantedFault[] => {
  const climate = memoized(climateOf(parameters));
  const isAffected = affectedClasses(climate);
  const byKey = new Map<string, PlantedFault & { readonly pointCodes: string[] }>();
  for (const storey of pointModels(parameters, document))
    for (const point of storey.filter(isAffected))
      for (const { code: elementCode, hash } of causesOf(point))
        for (const period of brokenPeriods(hash, range)) {
          const kind = faultIn(point, hash, period, climate);
          if (kind === null) continue;
          const key = `${kind} ${elementCode} ${period.fromMs}`;
          const fault = byKey.get(key) ?? { kind, elementCode, pointCodes: [], ...period };
          fault.pointCodes.push(point.code);
          byKey.set(key, fault);
        }
  return [...byKey.values()].toSorted(
    (a, b) =>
      a.fromMs - b.fromMs || compare(a.kind, b.kind) || compare(a.elementCode, b.elementCode),
  );
};

/** Caches moments, which many points share. */
const memoized = (climate: Climate): Climate => {
  const moments = new Map<number, Moment>();
  return (atMs) => {
    const moment = moments.get(atMs) ?? climate(atMs);
    moments.set(atMs, moment);
    return moment;
  };
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The elements whose faults may show in a point. */
const causesOf = ({ element, fan, box }: PointModel) => [
  ...new Map([element, fan, ...(box ? [box] : [])].map((cause) => [cause.code, cause])).values(),
];

/** The kind of fault of an element that changes a value of a point in a period. */
const faultIn = (
  point: PointModel,
  hash: number,
  { fromMs, toMs }: Period,
  climate: Climate,
): FaultKind | null => {
  let found: FaultKind | null = null;
  const faulty: FaultPlan = (kind, elementHash, atMs) => {
    const isPlanted = point.faults(kind, elementHash, atMs);
    if (isPlanted && elementHash === hash) found = kind;
    return isPlanted;
  };
  const healthy: FaultPlan = (kind, elementHash, atMs) =>
    elementHash !== hash && point.faults(kind, elementHash, atMs);
  const [is, was] = [faulty, healthy].map((faults) => curveOf({ ...point, faults }));
  for (let atMs = fromMs; atMs < toMs; atMs += STEP_MS) {
    const moment = climate(atMs);
    if (is!(moment) !== was!(moment)) return found;
  }
  return null;
};

/** Selects points of classes that faults can affect, because most classes are unaffected. */
const affectedClasses = (climate: Climate): ((point: PointModel) => boolean) => {
  const affected = new Map<string, boolean>();
  const week = Array.from({ length: HOURS_OF_WEEK }, (_, hour) => climate(hour * HOUR_MS));
  return (point) => {
    const key = `${point.pointClass} ${point.box !== null}`;
    const cached = affected.get(key);
    if (cached !== undefined) return cached;
    let isAffected = false;
    const faults: FaultPlan = () => (isAffected = true);
    const curve = curveOf({ ...point, faults });
    for (const moment of week) curve(moment);
    affected.set(key, isAffected);
    return isAffected;
  };
};

const HOURS_OF_WEEK = 7 * 24;

/** A quarter of an hour, as between seeded samples. */
const STEP_MS = HOUR_MS / 4;
