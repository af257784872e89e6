/**
 * Messages about a building's facts: the events of webhooks, of the live service and of the bus.
 * interface.md «Webhook delivery», «Live the service events»; contract.md section 6.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type {
  AlarmTriggered,
  FaultCreated,
  PointsUpdated,
  TelemetryEvent,
} from '../telemetry/events.ts';

export type BuildingMessageType =
  | 'building.point.updated'
  | 'building.alarm.triggered'
  | 'building.fault.created';

export interface BuildingMessage {
  /** Unique within its fact, and the same in every reading. */
  readonly key: string;
  readonly type: BuildingMessageType;
  readonly buildingId: string;
  /** When it happened. */
  readonly at: Instant;
  readonly data: Readonly<Record<string, unknown>>;
}

const messageTypes = {
  PointsUpdated: 'building.point.updated',
  AlarmTriggered: 'building.alarm.triggered',
  FaultCreated: 'building.fault.created',
} as const satisfies Record<TelemetryEvent['type'], BuildingMessageType>;

/** One message per point of the ingest, with its latest value. */
const ofPoints = ({ type, buildingId, points }: PointsUpdated): readonly BuildingMessage[] =>
  points.map((point) => {
    const { earlier: _, ...latest } = point;
    return {
      key: point.pointId,
      type: messageTypes[type],
      buildingId,
      at: point.observedAt,
      data: { buildingId, ...latest },
    };
  });

const ofAlarm = ({ type, ...data }: AlarmTriggered): readonly BuildingMessage[] => [
  {
    key: data.alarmId,
    type: messageTypes[type],
    buildingId: data.buildingId,
    at: data.triggeredAt,
    data,
  },
];

/** Unknown members are omitted: they are optional. */
const ofFault = ({
  type,
  elementId,
  pointId,
  ...data
}: FaultCreated): readonly BuildingMessage[] => [
  {
    key: data.faultId,
    type: messageTypes[type],
    buildingId: data.buildingId,
    at: data.detectedAt,
    data: {
      ...data,
      ...(elementId === null ? {} : { elementId }),
      ...(pointId === null ? {} : { pointId }),
    },
  },
];

/** The messages of a fact, in order. Their ids: UUIDv5 of the fact's id and the message's key. */
export const messagesOf = (fact: TelemetryEvent): readonly BuildingMessage[] => {
  switch (fact.type) {
    case 'PointsUpdated':
      return ofPoints(fact);
    case 'AlarmTriggered':
      return ofAlarm(fact);
    case 'FaultCreated':
      return ofFault(fact);
  }
};
