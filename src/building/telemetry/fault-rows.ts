/** The rows of faults, and their announcements. */
import type { ClientBase } from 'pg';
import { v5 as uuidFrom, v7 as newId } from 'uuid';
import type { AlarmTriggered, FaultCreated } from '../../domain/telemetry/events.ts';
import type { Fault } from '../../domain/telemetry/flapping.ts';
import type { FaultClosed, FaultTicketEvent } from '../../domain/telemetry/fault-events.ts';
import { FAULT_TICKETS_OF_RULE_AN_HOUR_MAX } from '../../domain/telemetry/limits.ts';
import type { RaiseTicket } from '../../domain/telemetry/raise-ticket.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { announceAll } from '../graph/outbox.ts';
import type { Evaluation } from './diagnostics.ts';
import type { StoredFault } from './rule-memory.ts';
import type { StoredRule } from './rule-rows.ts';

/** A new fault, which may have ended since. */
export interface NewFault extends Fault {
  readonly rule: Pick<StoredRule, 'ruleId' | 'title' | 'severity' | 'threshold' | 'raiseTicket'>;
  readonly point: FaultPoint;
}

export interface FaultPoint {
  readonly seriesId: number;
  readonly pointId: string;
  readonly elementId: string;
  readonly valueType: 'number' | 'boolean';
}

/** An existing fault, which may have been closed or reopened. */
export interface ChangedFault extends StoredFault {
  readonly wasOpen: boolean;
}

/**
 * Writes new faults with their announcements: each alarm before its fault, then its ticket.
 *
 * @returns The number of announcements.
 */
export const openFaults = async (
  client: ClientBase,
  buildingId: string,
  faults: readonly NewFault[],
  occasion: Evaluation,
): Promise<number> => {
  if (faults.length === 0) return 0;
  const raising = await raisingAmong(client, faults, occasion.at);
  const rows = faults.map((fault) => ({
    id: faultIdOf(fault),
    rule_id: fault.rule.ruleId,
    series_id: fault.point.seriesId,
    severity: fault.rule.severity,
    title: fault.rule.title,
    value: fault.value ?? 0,
    value_known: fault.value !== null,
    opened_at: instantOf(fault.openedMs),
    ticket_at: raising.has(fault) ? occasion.at : null,
    ...changing(fault),
  }));
  await client.query(
    `insert into telemetry.fault (id, building_id, rule_id, series_id, severity, title, value,
       value_known, opened_at, ticket_at, closed_at, flap_count, flapped_at, flap_breached)
     select id, $2, rule_id, series_id, severity, title, value, value_known, opened_at, ticket_at,
            closed_at, flap_count, flapped_at, flap_breached
     from json_to_recordset($1)
       as n(id uuid, rule_id uuid, series_id integer, severity text, title text,
            value double precision, value_known boolean, opened_at timestamptz,
            ticket_at timestamptz, ${CHANGING})`,
    [JSON.stringify(rows), buildingId],
  );
  const events = faults.flatMap((fault) => [
    ...eventsOf(buildingId, fault, occasion),
    ...(raising.has(fault) ? ticketEventsOf(buildingId, fault, fault.rule.raiseTicket!) : []),
  ]);
  await announceAll(client, events, { ...occasion, commandId: newId() });
  return events.length;
};

/**
 * Updates existing faults. Faults with a ticket announce that they were closed or reopened.
 *
 * @returns The number of announcements.
 */
export const changeFaults = async (
  client: ClientBase,
  buildingId: string,
  faults: readonly ChangedFault[],
  occasion: Evaluation,
): Promise<number> => {
  if (faults.length === 0) return 0;
  // Read under the row's lock, because a user may raise a ticket concurrently.
  const { rows } = await client.query<{ readonly id: string; readonly hasTicket: boolean }>(
    `update telemetry.fault
     set closed_at = n.closed_at, flap_count = n.flap_count, flapped_at = n.flapped_at,
         flap_breached = n.flap_breached
     from json_to_recordset($1) as n(id uuid, ${CHANGING})
     where fault.id = n.id
     returning fault.id, ticket_at is not null as "hasTicket"`,
    [JSON.stringify(faults.map((fault) => ({ id: fault.faultId, ...changing(fault) })))],
  );
  const ticketed = new Set(rows.filter(({ hasTicket }) => hasTicket).map(({ id }) => id));
  const events = faults
    .filter(({ faultId }) => ticketed.has(faultId))
    .flatMap((fault) => turnOf(buildingId, fault));
  if (events.length > 0) await announceAll(client, events, { ...occasion, commandId: newId() });
  return events.length;
};

/**
 * Closes the faults of a deleted rule, in the caller's transaction.
 *
 * @returns The number of announcements.
 */
export const closeFaultsOf = (
  client: ClientBase,
  buildingId: string,
  ruleId: string,
  occasion: Evaluation,
): Promise<number> => closeFaults(client, buildingId, ['rule_id = $3', ruleId], occasion);

/**
 * Closes the faults of points that have left the class of their rule, in the caller's transaction.
 *
 * @returns The number of announcements.
 */
export const closeUnwatchedFaults = (
  client: ClientBase,
  buildingId: string,
  occasion: Evaluation,
): Promise<number> =>
  closeFaults(client, buildingId, [`(rule_id, series_id) in (${UNWATCHED})`], occasion);

/** The building `$1`'s pairs of a rule and a point that is not of the rule's class. */
export const UNWATCHED = `
  select rule.id, series.id from telemetry.rule
  join telemetry.series on series.building_id = rule.building_id
  join graph.point on point.id = series.point_id
  where rule.building_id = $1 and rule.point_class <> point.point_class`;

const closeFaults = async (
  client: ClientBase,
  buildingId: string,
  [condition, ...values]: readonly [string, ...string[]],
  occasion: Evaluation,
): Promise<number> => {
  const { rows } = await client.query<{
    readonly faultId: string;
    readonly closedAt: Instant | Date;
    readonly hasTicket: boolean;
  }>(
    `update telemetry.fault set closed_at = greatest(opened_at, $2)
     where building_id = $1 and closed_at is null and ${condition}
     returning id as "faultId", closed_at as "closedAt", ticket_at is not null as "hasTicket"`,
    [buildingId, occasion.at, ...values],
  );
  const events = rows
    .filter(({ hasTicket }) => hasTicket)
    .map(({ faultId, closedAt }) =>
      closedEvent({ buildingId, faultId }, new Date(closedAt).getTime(), 'rule_deleted'),
    );
  if (events.length > 0) await announceAll(client, events, { ...occasion, commandId: newId() });
  return events.length;
};

/** The faults whose rule may still raise a ticket in this hour, in their order. */
const raisingAmong = async (
  client: ClientBase,
  faults: readonly NewFault[],
  at: Instant,
): Promise<ReadonlySet<NewFault>> => {
  const asking = faults.filter(({ rule }) => rule.raiseTicket !== null);
  if (asking.length === 0) return new Set();
  const { rows } = await client.query<{ readonly ruleId: string; readonly raised: number }>(
    `select rule_id as "ruleId", count(*)::int as raised from telemetry.fault
     where rule_id = any($1::uuid[]) and ticket_at > $2::timestamptz - interval '1 hour'
     group by rule_id`,
    [[...new Set(asking.map(({ rule }) => rule.ruleId))], at],
  );
  const raised = new Map(rows.map((row) => [row.ruleId, row.raised]));
  return new Set(
    asking.filter(({ rule: { ruleId } }) => {
      const before = raised.get(ruleId) ?? 0;
      raised.set(ruleId, before + 1);
      return before < FAULT_TICKETS_OF_RULE_AN_HOUR_MAX;
    }),
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
const faultIdOf = ({ rule, point, openedMs }: NewFault): string =>
  uuidFrom(`${point.seriesId}/${openedMs}`, rule.ruleId);

const eventsOf = (
  buildingId: string,
  newFault: NewFault,
  { at }: Evaluation,
): readonly [AlarmTriggered, FaultCreated] => {
  const { rule, point, value, openedMs } = newFault;
  const faultId = faultIdOf(newFault);
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

const ticketEventsOf = (
  buildingId: string,
  fault: NewFault,
  raise: RaiseTicket,
): readonly FaultTicketEvent[] => {
  const named = { buildingId, faultId: faultIdOf(fault) };
  const due = { type: 'FaultTicketDue', ...named, raise } as const;
  return fault.closedMs === null ? [due] : [due, closedEvent(named, fault.closedMs, 'recovered')];
};

const turnOf = (
  buildingId: string,
  { faultId, closedMs, wasOpen }: ChangedFault,
): readonly FaultTicketEvent[] => {
  if (wasOpen === (closedMs === null)) return [];
  return closedMs === null
    ? [{ type: 'FaultReopened', buildingId, faultId }]
    : [closedEvent({ buildingId, faultId }, closedMs, 'recovered')];
};

const closedEvent = (
  fault: Pick<FaultClosed, 'buildingId' | 'faultId'>,
  closedMs: number,
  why: FaultClosed['why'],
): FaultClosed => ({ type: 'FaultClosed', ...fault, closedAt: instantOf(closedMs), why });

export const valueOf = (valueType: 'number' | 'boolean', value: number): number | boolean =>
  valueType === 'boolean' ? value === 1 : value;

const instantOf = (ms: number): string => new Date(ms).toISOString();
