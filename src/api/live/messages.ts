/** The live messages of a log event. interface.md «Live the service events». */
import { buildingOf, BUS_CATEGORY, messageOf } from '../../bus/log/messages.ts';
import { messagesOf } from '../../domain/buildings/messages.ts';
import { wifiSensingTypes } from '../../domain/bus/inbound-types.ts';
import { isUnreadable } from '../../engine/log/codec.ts';
import { telemetryCodec } from '../../domain/telemetry/codecs.ts';
import { busCodec } from '../../domain/bus/codecs.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { categoryOf } from '../../engine/log/streams.ts';

/** The categories of streams with events of buildings. */
export const LIVE_CATEGORIES: readonly string[] = ['telemetry', BUS_CATEGORY];

export interface LiveMessage {
  readonly event: string;
  readonly buildingId: string;
  /** Of messages with the same key the one that happened last counts; `null`: each counts. */
  readonly supersededBy: string | null;
  /** As in the body of a webhook. contract.md section 8. */
  readonly body: LiveBody;
}

export interface LiveBody {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: string;
}

/** The building of an event of {@link LIVE_CATEGORIES}. */
export const buildingIn = ({ stream }: Pick<StoredEvent, 'stream'>): string => buildingOf(stream);

/** In order. An event of a later release has no messages here. */
export const liveMessagesOf = (stored: StoredEvent): readonly LiveMessage[] => {
  try {
    return categoryOf(stored.stream) === BUS_CATEGORY ? ofBus(stored) : ofBuilding(stored);
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
};

const ofBus = (stored: StoredEvent): readonly LiveMessage[] => {
  const { subject, data, at } = messageOf(busCodec.decode(stored));
  const { buildingId, type: event } = subject;
  if (!wifiSensingTypes.includes(event)) return [];
  return [{ event, buildingId, supersededBy: null, body: { event, data, timestamp: at } }];
};

/** `building.fault.created` is no event of the live service. */
const ofBuilding = (stored: StoredEvent): readonly LiveMessage[] =>
  messagesOf(telemetryCodec.decode(stored).event)
    .filter(({ type }) => type !== 'building.fault.created')
    .map(({ key, type: event, buildingId, data, at }) => ({
      event,
      buildingId,
      supersededBy: event === 'building.point.updated' ? `${buildingId}/${key}` : null,
      body: { event, data, timestamp: at },
    }));
