/**
 * The message types accepted from other systems: unknown types are refused, so that a typo is
 * noticed. contract.md section 9.
 */
import { workOrderTypes } from '../work-orders/message.ts';

/** Forwarded to the live service. */
export const wifiSensingTypes: readonly string[] = [
  'wifi-sensing.event',
  'wifi-sensing.occupancy.changed',
  'wifi-sensing.hvac.presence',
  'wifi-sensing.meeting.lifecycle',
];

export const inboundTypes: readonly string[] = [...workOrderTypes, ...wifiSensingTypes];
