/** Events of a work-order system, as it would send them. */
import { randomUUID } from 'node:crypto';

export interface Sent {
  readonly eventId: string;
  readonly buildingId: string;
  readonly workOrderId: string;
  readonly ticketId?: string | null;
  readonly occurredAt: string;
  readonly [member: string]: unknown;
}

export const subjectOf = (kind: string, buildingId: string): string =>
  `atrium.building.${buildingId}.cafm.work-order.${kind}`;

export const sent = (buildingId: string, over: Partial<Sent> = {}): Sent => ({
  eventId: randomUUID(),
  buildingId,
  workOrderId: '4711',
  occurredAt: '2026-03-02T12:00:00.000Z',
  ...over,
});
