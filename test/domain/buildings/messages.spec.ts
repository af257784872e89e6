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

it('publishes one message per point of an ingest', () => {
  const points = [reading(one, 21.5), reading(two, true)];
  const earlier: [number, number][] = [[60_000, 21.4]];
  const updated = [{ ...points[0]!, earlier }, points[1]!];
  expect(messagesOf({ type: 'PointsUpdated', buildingId, points: updated })).toEqual([
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

it('publishes an alarm with the sample that triggered it', () => {
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

it('publishes a fault without its unknown members', () => {
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
