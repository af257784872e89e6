/** Bytes of the whole document as JSON, so that its event fits one append of any log. */
export const CONFIGURATION_BYTES_MAX = 256 * 1024;
/** SLA policies per organisation. */
export const SLA_POLICIES_MAX = 100;
/** Calendars per organisation. */
export const CALENDARS_MAX = 50;
/** Routing rules per organisation; each new ticket is matched against all of them. */
export const ROUTING_RULES_MAX = 200;
/** Workflows per organisation, one for each request type. */
export const WORKFLOWS_MAX = 50;
/** Characters of the name of a policy, calendar or rule, and of a rule's id. */
export const DESK_NAME_CHARACTERS_MAX = 100;
/** Values that a match lists for one member. */
export const MATCH_VALUES_MAX = 100;
/** Characters of a match text, both as written and as normalised: some characters expand. */
export const MATCH_TEXT_CHARACTERS_MAX = 100;
/** Working intervals per day of the week. */
export const DAY_INTERVALS_MAX = 24;
/** Holidays per calendar. */
export const CALENDAR_HOLIDAYS_MAX = 500;
/** A year. */
export const SLA_MINUTES_MAX = 365 * 24 * 60;
/** A policy's minutes must fit into this many weeks of its calendar, holidays aside. */
export const SLA_WORKING_WEEKS_MAX = 260;
/** Warning threshold of a policy that sets none. */
export const SLA_WARNING_PERCENT_DEFAULT = 80;
