/** Faults as rows, and the announcements of those that begin. */
import type { ClientBase } from 'pg';
import { v5 as uuidFrom, v7 as newId } from 'uuid';
import type { AlarmTriggered, FaultCreated } from '../../domain/buildings/events.ts';
import type { Fault } from '../../domain/telemetry/flapping.ts';
import { announceAll } from '../graph/outbox.ts';
import type { Evaluation } from './diagnostics.ts';
import type { StoredFault } from './rule-memory.ts';
import type { StoredRule } from './rule-rows.ts';

/** A fault that has begun, and may have ended since. */
export interface NewFault extends Fault {
  readonly rule: Pick<StoredRule, 'ruleId' | 'title' | 'severity' | 'threshold'>;
  readonly point: FaultPoint;
}

export interface FaultPoint {
  readonly seriesId: number;
  readonly pointId: string;
  readonly elementId: string;
  readonly valueType: 'number' | 'boolean';
}

/** Writes what has begun with its announcements: each alarm before its fault. */
export const openFaults = async (
  client: ClientBase,
  buildingId: string,
  faults: readonly NewFault[],
  occasion: Evaluation,
): Promise<void> => {
  if (faults.length === 0) return;
  const rows = faults.map(({ rule, point, value, openedMs, ...fault }) => ({
    id: faultIdOf(rule.ruleId, point.seriesId, openedMs),
    rule_id: rule.ruleId,
    series_id: point.seriesId,
    severity: rule.severity,
    title: rule.title,
    value: value ?? 0,
    value_known: value !== null,
    opened_at: instantOf(openedMs),
    ...changing(fault),
  }));
  await client.query(
    `insert into telemetry.fault (id, building_id, rule_id, series_id, severity, title, value,
       value_known, opened_at, closed_at, flap_count, flapped_at, flap_breached)
     select id, $2, rule_id, series_id, severity, title, value, value_known, opened_at,
            closed_at, flap_count, flapped_at, flap_breached
     from json_to_recordset($1)
       as n(id uuid, rule_id uuid, series_id integer, severity text, title text,
            value double precision, value_known boolean, opened_at timestamptz,
            ${CHANGING})`,
    [JSON.stringify(rows), buildingId],
  );
  await announceAll(
    client,
    faults.flatMap((fault) => eventsOf(buildingId, fault, occasion)),
    { ...occasion, commandId: newId() },
  );
};

/** Writes what has become of faults that are there. */
export const changeFaults = async (
  client: ClientBase,
  faults: readonly StoredFault[],
): Promise<void> => {
  if (faults.length === 0) return;
  await client.query(
    `update telemetry.fault
     set closed_at = n.closed_at, flap_count = n.flap_count, flapped_at = n.flapped_at,
         flap_breached = n.flap_breached
     from json_to_recordset($1) as n(id uuid, ${CHANGING})
     where fault.id = n.id`,
    [JSON.stringify(faults.map((fault) => ({ id: fault.faultId, ...changing(fault) })))],
  );
};

const CHANGING =
  'closed_at timestamptz, flap_count integer, flapped_at timestamptz, flap_breached boolean';

const changing = (fault: Pick<Fault, 'closedMs' | 'flapping' | 'flapCount'>) => ({
  closed_at: fault.closedMs === null ? null : instantOf(fault.closedMs),
  flap_count: fault.flapCount,
  flapped_at: fault.flapping === null ? null : instantOf(fault.flapping.changedMs),
  flap_breached: fault.flapping?.isBreached ?? false,
});

/** Deterministic, so that two evaluations find the same fault. */
const faultIdOf = (ruleId: string, seriesId: number, openedMs: number): string =>
  uuidFrom(`${seriesId}/${openedMs}`, ruleId);

const eventsOf = (
  buildingId: string,
  { rule, point, value, openedMs }: NewFault,
  { at }: Evaluation,
): readonly [AlarmTriggered, FaultCreated] => {
  const faultId = faultIdOf(rule.ruleId, point.seriesId, openedMs);
  const { severity, title, ruleId, threshold } = rule;
  const { pointId, elementId } = point;
  const fault = { buildingId, faultId, severity, title, pointId, elementId };
  return [
    {
      type: 'AlarmTriggered',
      ...fault,
      alarmId: uuidFrom('alarm', faultId),
      ruleId,
      // A point without samples has no value; the event must have one.
      value: valueOf(point.valueType, value ?? 0),
      threshold,
      triggeredAt: instantOf(openedMs),
    },
    { type: 'FaultCreated', ...fault, detectedAt: at },
  ];
};

export const valueOf = (valueType: 'number' | 'boolean', value: number): number | boolean =>
  valueType === 'boolean' ? value === 1 : value;

const instantOf = (ms: number): string => new Date(ms).toISOString();
