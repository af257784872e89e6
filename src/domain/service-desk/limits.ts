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
/** Months after which closed tickets lose their personal data. contract.md section 11. */
export const PERSONAL_DATA_MONTHS_MAX = 120;
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
/** Request types per organisation. contract.md section 5. */
export const REQUEST_TYPES_MAX = 50;
/** Fields per request type. */
export const FORM_FIELDS_MAX = 40;
/** Options per field, and values that a condition lists. */
export const FIELD_OPTIONS_MAX = 100;
/** Characters of the label of a field or an option. */
export const FIELD_LABEL_CHARACTERS_MAX = 200;
/** Characters of the value of an option, and of a condition's value. */
export const OPTION_VALUE_CHARACTERS_MAX = 100;
/** Characters of a request type's description. */
export const REQUEST_TYPE_DESCRIPTION_CHARACTERS_MAX = 1_000;
/** Characters of a request type's icon, a symbol or a name. */
export const REQUEST_TYPE_ICON_CHARACTERS_MAX = 32;
/** Characters of an answer to a field of text, unless the field says less. */
export const FORM_TEXT_CHARACTERS_MAX = 4_000;
/** Magnitude of `min` and `max`. */
export const FORM_BOUND_MAX = 1_000_000_000_000;
