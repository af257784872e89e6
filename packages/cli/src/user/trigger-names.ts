/** What `atrium trigger` can cause, and why it cannot cause the rest. */

export const TRIGGERED = [
  'building.point.updated',
  'building.alarm.triggered',
  'building.fault.created',
  'service-desk.ticket.created',
  'service-desk.ticket.updated',
  'service-desk.ticket.sla_warning',
  'service-desk.ticket.sla_breached',
  'webhook.test',
] as const;

export type TriggeredEvent = (typeof TRIGGERED)[number];

export const CONSEQUENCES: Readonly<Record<TriggeredEvent, string>> = {
  'building.point.updated': 'ingests a new value of a point',
  'building.alarm.triggered':
    'ingests a value that opens a fault, through a rule created for this purpose',
  'building.fault.created': 'the same: the alarm comes first, then the fault',
  'service-desk.ticket.created': 'raises a ticket',
  'service-desk.ticket.updated': 'raises a ticket and moves it to triaged',
  'service-desk.ticket.sla_warning': "raises a ticket and moves the sandbox's clock to its warning",
  'service-desk.ticket.sla_breached':
    "raises a ticket and moves the sandbox's clock past its due time",
  'webhook.test': 'sends a test to each webhook of the sandbox',
};

const NOT_PUBLISHED = 'no part of Atrium publishes it yet';
const OF_OTHERS = 'another system publishes it on the bus';

/** Events of the interface that no request of the API causes. */
export const NOT_TRIGGERED: Readonly<Record<string, string>> = {
  'building.element.status_changed': NOT_PUBLISHED,
  'building.changeset.applied': NOT_PUBLISHED,
  'wifi-sensing.event': OF_OTHERS,
  'wifi-sensing.occupancy.changed': OF_OTHERS,
  'wifi-sensing.hvac.presence': OF_OTHERS,
  'wifi-sensing.meeting.lifecycle': OF_OTHERS,
  'cafm.work-order.created': OF_OTHERS,
  'cafm.work-order.updated': OF_OTHERS,
  'cafm.work-order.completed': OF_OTHERS,
};
