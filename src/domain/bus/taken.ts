/** What is taken from others over the bus; a typo must not pass silently. contract.md section 9. */
import { workOrderTypes } from '../work-order/message.ts';

const wifiSensingTypes = [
  'wifi-sensing.event',
  'wifi-sensing.occupancy.changed',
  'wifi-sensing.hvac.presence',
  'wifi-sensing.meeting.lifecycle',
] as const;

export const takenTypes: readonly string[] = [...workOrderTypes, ...wifiSensingTypes];
