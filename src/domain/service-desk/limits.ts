// Configuration of the service desk (contract.md section 5)
/** Of the whole document, as JSON: what is recorded of it fits one append of any log. */
export const CONFIGURATION_BYTES_MAX = 256 * 1024;
/** Of one organisation. */
export const SLA_POLICIES_MAX = 100;
/** Of one organisation. */
export const CALENDARS_MAX = 50;
/** Of one organisation; all of them look at each ticket that is opened. */
export const ROUTING_RULES_MAX = 200;
/** Of one organisation, one for each request type. */
export const WORKFLOWS_MAX = 50;
/** Names of policies, calendars and rules, and a rule's id. */
export const DESK_NAME_CHARACTERS_MAX = 100;
/** Values that a match lists for one member. */
export const MATCH_VALUES_MAX = 100;
/** As it is written, and as it is compared: some characters stand for a whole phrase. */
export const MATCH_TEXT_CHARACTERS_MAX = 100;
/** Intervals of working time that a day of the week has. */
export const DAY_INTERVALS_MAX = 24;
/** Days off that a calendar lists. */
export const CALENDAR_HOLIDAYS_MAX = 500;
/** A year. */
export const SLA_MINUTES_MAX = 365 * 24 * 60;
/** A policy's minutes are worked within so many weeks of its calendar, holidays aside. */
export const SLA_WORKING_WEEKS_MAX = 260;
/** Where a policy names no other. */
export const SLA_WARNING_PERCENT_DEFAULT = 80;
