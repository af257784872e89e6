/** The members of a configuration, in the words of its editors. */
import { spacedName } from '../../ui/plain-messages.ts';

/** Members of the configuration whose label is another one than their name. */
export const MEMBERS: Readonly<Record<string, string>> = {
  name: 'name',
  firstResponseMinutes: 'first response',
  resolutionMinutes: 'resolution',
  warningPercent: 'warning',
  calendar: 'calendar',
  match: 'tickets',
  text: 'words',
  category: 'category',
  requestType: 'request type',
  ruleId: 'id',
  assignTeamId: 'team',
  assignUserId: 'person',
  note: 'note',
  timeZone: 'time zone',
  weekly: 'hours',
  holidays: 'holidays',
  transitions: 'transitions',
  fields: 'form',
  key: 'key',
  label: 'label',
  options: 'options',
  showIf: 'shown',
  min: 'least',
  max: 'most',
  userId: 'user id',
  teamId: 'team id',
  email: 'e-mail address',
  members: 'members',
};

/** `first response`; for a member without a label of its own `expires in days`. */
export const memberName = (member: string): string => MEMBERS[member] ?? spacedName(member);
