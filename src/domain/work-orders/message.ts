/**
 * Messages of the work-order system on the bus, translated into work-order events. Unknown members
 * are ignored. contract.md section 5.
 */
import { z } from 'zod';
import {
  WORK_ORDER_ID_CHARACTERS_MAX,
  WORK_ORDER_STATUS_CHARACTERS_MAX,
  WORK_ORDER_TITLE_CHARACTERS_MAX,
} from './limits.ts';
import { BUS_EVENT_ID_CHARACTERS_MAX, TEXT_CHARACTERS_MAX } from '../../limits.ts';
import { isBlank, unpadded } from '../blank.ts';
import type { Payload } from '../bus/events.ts';
import type { Subject } from '../bus/subject.ts';
import { workOrderKinds, type WorkOrderEvent, type WorkOrderKind } from './events.ts';

const TYPE = 'cafm.work-order.';

/** The bus types of work orders. */
export const workOrderTypes: readonly string[] = workOrderKinds.map((kind) => `${TYPE}${kind}`);

/** External ids become part of stream names: text without control characters or outer blanks. */
const foreignId = (charactersMax: number) =>
  unpadded(
    z
      .string()
      .min(1)
      .max(charactersMax)
      .regex(/^[^\p{C}]*$/u, 'must not contain control characters'),
  );

const id = z.uuid().transform((value) => value.toLowerCase());

const words = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .nullish()
    .transform((value) => (typeof value === 'string' && !isBlank(value) ? value : null));

const instant = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value).toISOString())
  .pipe(z.iso.datetime({ precision: 3 }));

const spoken = z.object({
  eventId: foreignId(BUS_EVENT_ID_CHARACTERS_MAX),
  buildingId: id,
  workOrderId: foreignId(WORK_ORDER_ID_CHARACTERS_MAX),
  ticketId: id.nullish().transform((value) => value ?? null),
  occurredAt: instant,
  title: words(WORK_ORDER_TITLE_CHARACTERS_MAX),
  status: words(WORK_ORDER_STATUS_CHARACTERS_MAX),
  progressPercent: z
    .number()
    .min(0)
    .max(100)
    .nullish()
    .transform((value) => value ?? null),
  note: words(TEXT_CHARACTERS_MAX),
});

export interface InvalidMessage {
  /** The path of the member in `data`; empty for all of it. */
  readonly path: string;
  readonly message: string;
}

/** The event of a message, or its validation errors. */
export const workOrderEventOf = (
  subject: Subject,
  data: Payload,
): WorkOrderEvent | readonly InvalidMessage[] => {
  const kind = kindOf(subject.type);
  if (kind === null) return [{ path: '', message: 'is not about a work order' }];
  const read = spoken.safeParse(data);
  if (!read.success) {
    return read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  }
  const event = { kind, ...read.data };
  if (event.buildingId !== subject.buildingId) {
    return [{ path: 'buildingId', message: 'must be the building of the subject' }];
  }
  if (kind === 'created' && event.ticketId === null) {
    return [{ path: 'ticketId', message: 'is required when a work order is created' }];
  }
  return event;
};

export const isInvalidMessage = (
  read: WorkOrderEvent | readonly InvalidMessage[],
): read is readonly InvalidMessage[] => Array.isArray(read);

const kindOf = (type: string): WorkOrderKind | null =>
  workOrderKinds.find((kind) => type === `${TYPE}${kind}`) ?? null;
