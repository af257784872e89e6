/** Faults that begin and end, and what is told of those that begin. */
import type { ClientBase } from 'pg';
import { v5 as uuidFrom, v7 as newId } from 'uuid';
import type { AlarmTriggered, FaultCreated } from '../domain/building/events.ts';
import { announceAll } from '../graph/outbox.ts';
import type { Evaluation } from './diagnostics.ts';
import type { StoredRule } from './rule-rows.ts';

/** A fault that has begun, and may have ended since. */
export interface NewFault {
  readonly rule: Pick<StoredRule, 'ruleId' | 'title' | 'severity' | 'threshold'>;
  readonly point: FaultPoint;
  readonly value: number;
  readonly openedMs: number;
  readonly closedMs: number | null;
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
  const rows = faults.map(({ rule, point, value, openedMs, closedMs }) => ({
    id: faultIdOf(rule.ruleId, point.seriesId, openedMs),
    rule_id: rule.ruleId,
    series_id: point.seriesId,
    severity: rule.severity,
    title: rule.title,
    value,
    opened_at: instantOf(openedMs),
    closed_at: closedMs === null ? null : instantOf(closedMs),
  }));
  await client.query(
    `insert into telemetry.fault (id, building_id, rule_id, series_id, severity, title, value,
       opened_at, closed_at)
     select id, $2, rule_id, series_id, severity, title, value, opened_at, closed_at
     from json_to_recordset($1)
       as n(id uuid, rule_id uuid, series_id integer, severity text, title text,
            value double precision, opened_at timestamptz, closed_at timestamptz)`,
    [JSON.stringify(rows), buildingId],
  );
  await announceAll(
    client,
    faults.flatMap((fault) => eventsOf(buildingId, fault, occasion)),
    { ...occasion, commandId: newId() },
  );
};

export interface ClosedFault {
  readonly faultId: string;
  readonly closedMs: number;
}

export const closeFaults = async (
  client: ClientBase,
  closed: readonly ClosedFault[],
): Promise<void> => {
  if (closed.length === 0) return;
  await client.query(
    `update telemetry.fault set closed_at = n.closed_at
     from json_to_recordset($1) as n(id uuid, closed_at timestamptz)
     where fault.id = n.id and fault.closed_at is null`,
    [
      JSON.stringify(
        closed.map(({ faultId, closedMs }) => ({ id: faultId, closed_at: instantOf(closedMs) })),
      ),
    ],
  );
};

/** The same fault, whoever finds it. */
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
      value: valueOf(point.valueType, value),
      threshold,
      triggeredAt: instantOf(openedMs),
    },
    { type: 'FaultCreated', ...fault, detectedAt: at },
  ];
};

export const valueOf = (valueType: 'number' | 'boolean', value: number): number | boolean =>
  valueType === 'boolean' ? value === 1 : value;

const instantOf = (ms: number): string => new Date(ms).toISOString();
