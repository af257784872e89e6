import { expect, it } from 'vitest';
import { messagesOf } from '../../../src/domain/buildings/messages.ts';

const buildingId = 'b0000000-0000-4000-8000-000000000001';
const at = '2026-03-02T12:00:00.000Z';
const reading = (pointId: string, value: number | boolean) => ({
  pointId,
  elementId: null,
  spaceId: 'a0000000-0000-4000-8000-000000000001',
  value,
  unit: 'degC',
  observedAt: at,
});
const [one, two] = ['c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000002'];

it('tells of each point of an ingest by a message of its own', () => {
  const points = [reading(one, 21.5), reading(two, true)];
  const earlier: [number, number][] = [[60_000, 21.4]];
  const told = [{ ...points[0]!, earlier }, points[1]!];
  expect(messagesOf({ type: 'PointsUpdated', buildingId, points: told })).toEqual([
    {
      key: one,
      type: 'building.point.updated',
      buildingId,
      at,
      data: { buildingId, ...points[0] },
    },
    {
      key: two,
      type: 'building.point.updated',
      buildingId,
      at,
      data: { buildingId, ...points[1] },
    },
  ]);
});

const fault = {
  buildingId,
  faultId: 'f0000000-0000-4000-8000-000000000001',
  severity: 'high',
  title: 'Too warm',
  pointId: one,
  elementId: null,
};

it('tells of an alarm with what triggered it', () => {
  const alarm = {
    ...fault,
    alarmId: 'e0000000-0000-4000-8000-000000000001',
    ruleId: 'd0000000-0000-4000-8000-000000000001',
    value: 31.5,
    threshold: 30,
    triggeredAt: at,
  };
  expect(messagesOf({ type: 'AlarmTriggered', ...alarm })).toEqual([
    { key: alarm.alarmId, type: 'building.alarm.triggered', buildingId, at, data: alarm },
  ]);
});

it('tells of a fault without the members that are not known', () => {
  const { elementId: _, ...known } = fault;
  expect(messagesOf({ type: 'FaultCreated', ...fault, detectedAt: at })).toEqual([
    {
      key: fault.faultId,
      type: 'building.fault.created',
      buildingId,
      at,
      data: { ...known, detectedAt: at },
    },
  ]);
});
