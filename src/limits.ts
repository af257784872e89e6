/**
 * Every number of the interface and the contract, each once, named with its unit last.
 * The relations between them are asserted at the end: a change that breaks one does not start.
 */

// Tickets (interface.md «Limits», contract.md section 5)
export const TICKET_PAGE_DEFAULT = 50;
export const TICKET_PAGE_MAX = 200;
export const SUBJECT_CHARACTERS_MAX = 300;
export const TEXT_CHARACTERS_MAX = 20_000;
export const CATEGORY_CHARACTERS_MAX = 200;
/** As sent; a slug of 64 without the blanks around it. */
export const REQUEST_TYPE_CHARACTERS_MAX = 100;
export const REPORTER_CHARACTERS_MAX = 200;
export const ASSIGNEE_CHARACTERS_MAX = 200;
export const FREE_FORM_BYTES_MAX = 16 * 1024;
/** Members and items, on all levels. */
export const FREE_FORM_MEMBERS_MAX = 1_000;
export const FREE_FORM_DEPTH_MAX = 20;
/** What was taken before was bounded so. */
export const FREE_FORM_STORED_DEPTH_MAX = 32;
export const SEARCH_CHARACTERS_MAX = 200;
/** Of one ticket, those of work orders and rules too. */
export const TICKET_NOTES_MAX = 5_000;
/** Of all that was ever recorded of one ticket, in UTF-8. */
export const TICKET_TEXT_BYTES_MAX = 16 * 1024 * 1024;
/** Linked to one ticket: it shows all of them wherever it is shown. */
export const TICKET_WORK_ORDERS_MAX = 200;
export const TIMELINE_PAGE_DEFAULT = 100;
export const TIMELINE_PAGE_MAX = 500;
/** Events of a ticket's stream that are read at once for it. */
export const TIMELINE_READ_AT_ONCE_EVENTS = 100;
/** Tickets as they were at the end of a page, for those who read on. */
export const TIMELINE_PLACES_KEPT_MAX = 500;
/** And about so much memory of them. */
export const TIMELINE_PLACES_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** A page of a timeline ends after so much text, and goes on with the next one. */
export const TIMELINE_PAGE_BYTES_MAX = 1024 * 1024;
/** Of what is looked up in metadata: longer ones fit into no request line. */
export const METADATA_KEY_CHARACTERS_MAX = 200;
export const METADATA_TEXT_CHARACTERS_MAX = 1_000;
export const CURSOR_CHARACTERS_MAX = 200;
/** Values that one filter of a list names, and all of them as they are written. */
export const FILTER_VALUES_MAX = 50;
export const FILTER_CHARACTERS_MAX = 2_000;
export const SEARCH_TOTAL_MAX = 10_000;
/** A statement that reads tickets ends after so long, and a search begins no further one. */
export const TICKET_READ_MAX_MS = 900;
/** Searches at once, of one caller. */
export const SEARCHES_OF_CALLER_MAX = 2;
/** Of one organisation. */
export const SEARCHES_OF_ORGANISATION_MAX = 3;
/** Of all, who leave the other connections to those who search nothing. */
export const SEARCHES_MAX = 6;
/** Who finds no place waits so long for one. */
export const SEARCH_PLACE_WAIT_MS = 1_000;
export const TICKET_NUMBER_DIGITS_MIN = 6;
/** Ticket numbers that one append can reserve. */
export const TICKET_NUMBERS_RESERVED_MAX = 10_000;

// Tickets in bulk (contract.md section 5)
/** Exports at once, of one caller, */
export const TICKET_EXPORTS_OF_CALLER_MAX = 2;
/** of one organisation, */
export const TICKET_EXPORTS_OF_ORGANISATION_MAX = 3;
/** and of all. */
export const TICKET_EXPORTS_MAX = 8;
/** So many of them ask the database at the same time. */
export const TICKET_EXPORT_READS_AT_ONCE_MAX = 2;
/** An export looks for tickets among so many at once, */
export const TICKET_EXPORT_SEARCHED_ROWS = 1_000;
/** and reads so many at once: the longest there may be take 13 MiB. */
export const TICKET_EXPORT_READ_ROWS = 100;
/** Imports at once, of one caller, */
export const TICKET_IMPORTS_OF_CALLER_MAX = 1;
/** of one organisation, */
export const TICKET_IMPORTS_OF_ORGANISATION_MAX = 2;
/** and of all. */
export const TICKET_IMPORTS_MAX = 4;
/** Lines of one import, blank ones too. */
export const TICKET_IMPORT_LINES_MAX = 100_000;
export const IMPORT_KEY_CHARACTERS_MAX = 200;
export const ORIGINAL_NUMBER_CHARACTERS_MAX = 100;
/** Of a time of another system's, as it is written. */
export const INSTANT_CHARACTERS_MAX = 40;
/** Tickets of one import that are opened at the same time, */
export const TICKET_IMPORT_AT_ONCE = 256;
/** as long as their lines have no more bytes than this, or for a single one. */
export const TICKET_IMPORT_AT_ONCE_BYTES_MAX = 2 * 1024 * 1024;
/** Places of tickets that one statement looks up. */
export const LOCATIONS_AT_ONCE_MAX = 256;
/** Answers that are kept for a caller who sends and does not read; with more, he waits. */
export const TICKET_IMPORT_ANSWERS_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** From the first line to the last one; what is late is sent again, and goes on there. */
export const TICKET_IMPORT_MAX_MS = 3_600_000;
/** A caller who sends nothing for so long, though he may, has ended his import. */
export const TICKET_IMPORT_SILENT_MAX_MS = 60_000;
/** An import opens at most so many tickets, and as many again, before lists show the first ones. */
export const TICKET_IMPORT_UNSHOWN_MAX = 500;
/** Lists that do not follow within so long hold it up no more. */
export const TICKET_IMPORT_SHOWN_WAIT_MS = 10_000;

// The change feed (contract.md section 5)
export const CHANGES_PAGE_DEFAULT = 100;
export const CHANGES_PAGE_MAX = 500;
/** `wait` holds an answer without changes so long at most. */
export const CHANGES_WAIT_MAX_S = 25;
/** Readers that one process holds at once, of one caller. */
export const CHANGES_WAITING_OF_CALLER_MAX = 20;
/** Of one organisation. */
export const CHANGES_WAITING_OF_ORGANISATION_MAX = 200;
/** Of all; one more is told to come again. */
export const CHANGES_WAITING_MAX = 1_000;
/** A page of the feed ends after so much text, and goes on with the next one. */
export const CHANGES_PAGE_BYTES_MAX = 1024 * 1024;
/** Reads of one page of a feed that go by an index of the log. */
export const INDEXED_READS_AT_ONCE_MAX = 16;
/** Tickets of one page whose streams are read at once. */
export const CHANGES_STREAMS_AT_ONCE_MAX = 16;
/** Tickets kept folded for those who follow their changes; the streams are the truth. */
export const CHANGES_TICKETS_CACHED_MAX = 1_000;
/** And about so much memory of them. */
export const CHANGES_TICKETS_CACHED_BYTES_MAX = 64 * 1024 * 1024;
/** Of each, so many of its latest changes: readers that wait together are shown the same ones. */
export const CHANGES_OF_TICKET_KEPT_MAX = 8;
/** Whose a ticket is never changes. */
export const TICKET_OWNERS_CACHED_MAX = 50_000;

// Sandboxes (interface.md «Limits», contract.md section 4)
/** `provisioning` or `ready`, of one developer. */
export const SANDBOXES_ACTIVE_MAX = 3;
/** Of one sandbox. */
export const SANDBOX_EXTENSIONS_MAX = 2;
/** From now, at create and at each extension. */
export const SANDBOX_TTL_DAYS_MAX = 30;
export const SANDBOX_TTL_DAYS_DEFAULT = 14;
/** Of the display name and of the seed. */
export const SANDBOX_NAME_CHARACTERS_MAX = 100;
/** Storeys of the seeded building. */
export const SANDBOX_STOREYS_MAX = 50;
/** Where none are asked for. */
export const SANDBOX_STOREYS_DEFAULT = 3;
export const SANDBOX_AREA_SQM_MIN = 50;
export const SANDBOX_AREA_SQM_MAX = 1_000_000;
export const SANDBOX_AREA_SQM_DEFAULT = 3_000;
export const SANDBOX_TELEMETRY_DAYS_MAX = 30;
export const SANDBOX_TELEMETRY_DAYS_DEFAULT = 7;
/** Spaces of one storey: what a caller may ask for, */
export const SANDBOX_SPACES_MAX = 200;
/** and the bounds where none are asked for. */
export const SANDBOX_SPACES_LEAST_DEFAULT = 10;
/** See above. */
export const SANDBOX_SPACES_MOST_DEFAULT = 30;
/** A place in the allowance that no sandbox has taken by then may be somebody else's. */
export const SANDBOX_RESERVATION_MS = 300_000;
/** Provisioning that has not ended by then has failed. */
export const SANDBOX_PROVISIONING_MAX_MS = 900_000;
/** A phase that fails for a reason nobody has a name for is tried so often. */
export const SANDBOX_PHASE_ATTEMPTS_MAX = 3;
/** Making or dropping a database takes so long at most. */
export const SANDBOX_DATABASE_TIMEOUT_MS = 120_000;
/** To the database of one sandbox, besides those of its log. */
export const SANDBOX_CONNECTIONS_MAX = 4;
/** A sandbox that is woken is ready within so long, or its request is told to come again. */
export const SANDBOX_START_MAX_MS = 30_000;
/** A sandbox that nobody has called for so long goes to sleep. */
export const SANDBOX_IDLE_MAX_MS = 600_000;
/** How often it is looked at which sandboxes may sleep, and which have something due. */
export const SANDBOX_LOOK_MS = 10_000;
/** Of the time of its process's event loop, a sandbox may use so much in the long run, */
export const SANDBOX_LOOP_SHARE = 0.25;
/** and so many milliseconds at once after it was idle. Beyond that its requests are refused. */
export const SANDBOX_LOOP_BURST_MS = 2_500;
/** How long background work of a sandbox waits for its share before it gets a slice anyway. */
export const SANDBOX_LOOP_TURN_WAIT_MAX_MS = 2_000;
/** A process that hosts a sandbox is reached by another within so long, */
export const SANDBOX_PASSED_CONNECT_MAX_MS = 2_000;
/** and answers what is passed on to it within so long: no request has a longer deadline. */
export const SANDBOX_PASSED_ANSWER_MAX_MS = 310_000;
/** How often databases without a sandbox are swept away. */
export const SANDBOX_SWEEP_MS = 3_600_000;
/** Estimated size of one sandbox, unless `SANDBOX_BYTES_MAX` says otherwise. */
export const SANDBOX_BYTES_MAX_DEFAULT = 1024 ** 3;
/** Estimated size of all sandboxes together, unless `SANDBOX_HOST_BYTES_MAX` says otherwise. */
export const SANDBOX_HOST_BYTES_MAX_DEFAULT = 20 * 1024 ** 3;
/** Between two samples of the telemetry that a sandbox begins with. */
export const SANDBOX_TELEMETRY_STEP_MS = 900_000;
/** Between two samples of its live telemetry. */
export const SANDBOX_LIVE_STEP_MS = 60_000;
/** An advance of a sandbox's clock brings so many samples of its points at most, */
export const SANDBOX_ADVANCE_SAMPLES_MAX = 200_000;
/** and stops so often to tell them. */
export const SANDBOX_ADVANCE_STOPS_MAX = 24;
/** Memory that the thread which generates a building and its telemetry may use. */
export const SANDBOX_SEEDING_HEAP_MAX_MIB = 512;
/** So long before its end, a sandbox is marked as one that expires soon. */
export const SANDBOX_EXPIRES_SOON_MS = 86_400_000;
/** How often a caller is told to look at a sandbox that is being provisioned. */
export const SANDBOX_POLL_S = 5;

// The bus and work orders (contract.md sections 5 and 9)
export const BUS_PAGE_DEFAULT = 100;
export const BUS_PAGE_MAX = 500;
/** Messages that one page looks through. */
export const BUS_PAGE_EVENTS_MAX = 10_000;
/** Of them, read at once. */
export const BUS_READ_AT_ONCE_EVENTS = 100;
/** A page of the bus ends after so much text, and goes on with the next one. */
export const BUS_PAGE_BYTES_MAX = 1024 * 1024;
/** Of a message's `data` as JSON; its members are bounded as those of `metadata`. */
export const BUS_DATA_BYTES_MAX = 64 * 1024;
/** Of a message's type, without prefix and building. */
export const BUS_TYPE_CHARACTERS_MAX = 100;
export const BUS_SUBJECT_CHARACTERS_MAX = 500;
export const BUS_EVENT_ID_CHARACTERS_MAX = 200;
export const BUS_PREFIX_CHARACTERS_MAX = 64;

// NATS as the bus (contract.md section 9)
/** Dialling one server, up to its greeting. */
export const NATS_CONNECT_MAX_MS = 5_000;
/** One call, a publication too. */
export const NATS_ANSWER_MAX_MS = 5_000;
/**
 * A refused message is a reason of readiness for so long: longer than a process waits before it
 * publishes again, so that readiness does not come and go in between.
 */
export const NATS_REFUSED_SHOWN_MS = 20_000;
/** The first pause between two attempts to come back to a server that was lost, */
export const NATS_REDIAL_FIRST_MS = 100;
/** and the longest. */
export const NATS_REDIAL_MAX_MS = 2_000;
/** So often it is looked whether the streams are still as they have to be. */
export const NATS_STREAMS_LOOK_MS = 10_000;
/** A server is asked so often whether it is there; one that was silent twice is lost. */
export const NATS_PING_MS = 10_000;
/** What is under way when the connection is closed gets so long. */
export const NATS_CLOSE_MAX_MS = 2_000;
/** A stream that Atrium makes keeps its messages as long as the log keeps its journals. */
export const NATS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** And knows a repeat of what was published by its id for so long. */
export const NATS_REPEATS_KNOWN_MS = 60 * 60 * 1000;
/** Messages that were handed to the intake and not acknowledged yet. */
export const NATS_UNACKNOWLEDGED_MAX = 256;
/** What is not acknowledged by then is handed over again. */
export const NATS_ACKNOWLEDGED_WITHIN_MS = 30_000;
/** The intake asks for messages anew so often; twice in that time the server says it is there. */
export const NATS_PULL_MS = 5_000;
/** Of a message that cannot be read, the list of those parked shows the beginning. */
export const NATS_UNREADABLE_CHARACTERS_MAX = 1_000;
export const WORK_ORDER_ID_CHARACTERS_MAX = 100;
export const WORK_ORDER_TITLE_CHARACTERS_MAX = 300;
export const WORK_ORDER_STATUS_CHARACTERS_MAX = 100;

// Configuration of the service desk (contract.md section 5)
/** Of the whole document, as JSON: what is recorded of it fits one append of any log. */
export const CONFIGURATION_BYTES_MAX = 256 * 1024;
/** Simulations at once, of one caller. */
export const SIMULATIONS_OF_CALLER_MAX = 2;
/** Of one organisation. */
export const SIMULATIONS_OF_ORGANISATION_MAX = 4;
/** Of all. */
export const SIMULATIONS_MAX = 16;
/** Who finds no place waits so long for one. */
export const SIMULATION_PLACE_WAIT_MS = 1_000;
/** Members and items of it on all levels; a simulation's ticket besides. */
export const CONFIGURATION_VALUES_MAX = 25_000;
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

/** Of an ISO 8601 duration as it is written. */
export const DURATION_CHARACTERS_MAX = 64;

// Operations (contract.md section 10)
/** Of a projection, a process or a timer, as callers name it. */
export const CONSUMER_NAME_CHARACTERS_MAX = 100;
export const STREAM_CHARACTERS_MAX = 1_000;

// Building graph (contract.md section 6)
export const SPACES_PAGE_DEFAULT = 100;
export const SPACES_PAGE_MAX = 1_000;
export const SPACES_PAGE_CAPPED_MAX = 100;
/** Buildings, storeys, elements and points: their pages are not capped by the deployment. */
export const GRAPH_PAGE_DEFAULT = 100;
export const GRAPH_PAGE_MAX = 1_000;
export const CODE_CHARACTERS_MAX = 100;
export const NODE_NAME_CHARACTERS_MAX = 200;
export const SLUG_CHARACTERS_MAX = 64;
export const EXTERNAL_ID_CHARACTERS_MAX = 200;
export const SOURCE_SYSTEM_CHARACTERS_MAX = 64;
export const POINT_CLASS_CHARACTERS_MAX = 100;
export const UNIT_CHARACTERS_MAX = 32;
export const AREA_SQM_MAX = 10_000_000;
export const LEVEL_MAX = 1_000;
/** Storeys, spaces, elements and points of one import together. */
export const IMPORT_NODES_MAX = 200_000;
/** Values that one upload to a data layer carries. */
export const LAYER_VALUES_MAX = 10_000;
/** Identifiers and codes that one question resolves. */
export const RESOLVE_KEYS_MAX = 10_000;
/** Nodes that the keys of one question may be; a code is one per kind. */
export const RESOLVED_NODES_MAX = 4 * RESOLVE_KEYS_MAX;
export const LAYER_SLUG_CHARACTERS_MAX = 64;
/** Of a value that is text. */
export const LAYER_VALUE_CHARACTERS_MAX = 1_000;
/** Members and items of the bodies of both, on all levels. */
export const LAYER_BODY_VALUES_MAX = 4 * LAYER_VALUES_MAX;
/** A write to a building that is being imported into waits so long at most. */
export const BUILDING_BUSY_MAX_MS = 1_500;
/** Levels of an imported JSON document; a point in a room is on the eleventh. */
export const IMPORT_DEPTH_MAX = 16;
/** Members of one object of it; a space has ten. */
export const IMPORT_MEMBERS_MAX = 16;
/** Of one text, number or name in it, as it is written; the longest member has 200 characters. */
export const IMPORT_TEXT_BYTES_MAX = 4_096;
/** Instances (`#12=…;`) of an imported IFC file; one of 64 MiB has about a million. */
export const IFC_INSTANCES_MAX = 2_000_000;
/** Lists within lists of one instance. */
export const IFC_DEPTH_MAX = 16;
/** Of one word of it, and of a text as far as it is looked at. */
export const IFC_WORD_BYTES_MAX = 128;
/** Memory that reading an IFC file may take besides the thread's own. */
export const IFC_MEMORY_MAX_MIB = 512;
/** Imports that one process works on at once, each in a thread of its own; */
export const IMPORTS_AT_ONCE_MAX = 4;
/** of one organisation; */
export const IMPORTS_OF_ORGANISATION_MAX = 3;
/** and of one caller. */
export const IMPORTS_OF_CALLER_MAX = 2;
/** Memory that one of them may use, besides the bytes that came. */
export const IMPORT_HEAP_MAX_MIB = 768;
/** From the first byte to the commit; what is late has changed nothing. */
export const IMPORT_MAX_MS = 240_000;
/** Bytes that are on their way to the thread; whoever sends faster waits. */
export const IMPORT_BYTES_AHEAD_MAX = 1024 * 1024;
/** Places that a VALIDATION_FAILED names, of a body or of a file. */
export const ERRORS_NAMED_MAX = 20;
/** Rows that one statement of an import carries. */
export const IMPORT_ROWS_AT_ONCE = 5_000;

// Telemetry (contract.md section 6)
/** Of one request. */
export const OBSERVATIONS_AT_ONCE_MAX = 5_000;
/** Members and items of their body: an object of three each, and what is wrong with some. */
export const OBSERVATIONS_BODY_VALUES_MAX = 5 * OBSERVATIONS_AT_ONCE_MAX;
/** A sample may be so far ahead of the clock. */
export const OBSERVED_AHEAD_MAX_MS = 5 * 60_000;
/** An earlier sample is taken for a clock that was never set; each month has a partition. */
export const OBSERVED_AT_MIN = '2000-01-01T00:00:00.000Z';
/** Points that one announcement tells of. */
export const OBSERVATIONS_ANNOUNCED_POINTS_MAX = 500;
/** Points of all buildings together that are kept in memory, to check what is sent. */
export const TELEMETRY_POINTS_CACHED_MAX = 400_000;
/** Points that one statement fetches into it. */
export const TELEMETRY_POINTS_READ_ROWS = 10_000;
/** Rows of one answer that reads a point; `nextFrom` goes on. */
export const OBSERVATIONS_PAGE_MAX = 10_000;
/** Of time, where a read names no beginning. */
export const OBSERVATIONS_READ_DEFAULT_MS = 24 * 3_600_000;
/** One statement reads so many days, */
export const OBSERVATIONS_READ_AT_ONCE_DAYS = 7;
/** and one answer goes on to further ones for so long. */
export const OBSERVATIONS_READ_MAX_MS = 1_500;
export const RULE_TITLE_CHARACTERS_MAX = 200;
export const SEVERITY_CHARACTERS_MAX = 64;
/** Of `forSeconds`, and of the threshold of `stale`: a year. */
export const RULE_SECONDS_MAX_S = 366 * 24 * 3_600;
/** A dry run looks at so many points times days. */
export const DRY_RUN_POINT_DAYS_MAX = 3_660;
/** And tells of so many faults. */
export const DRY_RUN_FAULTS_MAX_ROWS = 10_000;
/** Dry runs under way: of one caller, */
export const DRY_RUNS_OF_CALLER_MAX = 1;
/** of one organisation, */
export const DRY_RUNS_OF_ORGANISATION_MAX = 2;
/** and in all. */
export const DRY_RUNS_MAX = 4;
/** Faults in a page. */
export const FAULTS_PAGE_DEFAULT = 100;
export const FAULTS_PAGE_MAX = 1_000;
/** Whether a fault is due sooner than was known is looked at so often. */
export const STALE_LOOK_MS = 5_000;
/** A day is sealed so long after its end (UTC): most of what is late has come by then. */
export const SEALED_AFTER_MS = 3_600_000;
/** How often it is looked for days to seal, and for what is older than its term. */
export const TELEMETRY_UPKEEP_MS = 600_000;
/** Series that one statement searches for days to seal. */
export const SEALED_SERIES_AT_ONCE_MAX = 500;
/** Samples that one transaction seals, or a day of one series. */
export const SEALED_SAMPLES_AT_ONCE_MAX = 20_000;
/** Of telemetry that is kept for a term: `TELEMETRY_RETENTION_DAYS`. */
export const TELEMETRY_RETENTION_MAX_DAYS = 36_525;
/** An ingest that finds its building changed is checked anew so often. */
export const INGEST_ATTEMPTS_MAX = 5;
/** Observations beyond which an ingest counts as large; large ingests have limited concurrency. */
export const INGEST_LARGE_OBSERVATIONS = 500;
/** Concurrent large ingests per caller. */
export const LARGE_INGESTS_OF_CALLER_MAX = 1;
/** Concurrent large ingests per organisation. */
export const LARGE_INGESTS_OF_ORGANISATION_MAX = 1;
/** Concurrent large ingests per process. */
export const LARGE_INGESTS_MAX = 4;
/** Longest wait of a large ingest for its turn. */
export const LARGE_INGEST_PLACE_WAIT_MS = 10_000;

// The outbox of graph and telemetry (design.md decision 10)
/** Announcements that one transaction moves to the log. */
export const ANNOUNCEMENTS_AT_ONCE_MAX = 100;
/** Upper bound of their events' stored bytes per transaction; a single larger event is moved. */
export const ANNOUNCEMENTS_STORED_BYTES_MAX = 256 * 1024;
/** Of their events that one append takes, or a single one. */
export const ANNOUNCEMENTS_APPENDED_BYTES_MAX = 512 * 1024;
/** An announcement that did not reach the log at once is tried again so often. */
export const ANNOUNCEMENT_SWEEP_MS = 5_000;

// Hosts that others have named (interface.md «Limits», contract.md section 7)
export const STRANGER_URL_CHARACTERS_MAX = 2_048;
/** From the look-up of the name to the last byte that is read. */
export const STRANGER_DEADLINE_MS = 10_000;
/** What is read of an answer's body. */
export const STRANGER_RESPONSE_BYTES_MAX = 1_024;
/** Addresses of a name that one request may try, where nothing answers at the first. */
export const STRANGER_ADDRESSES_TRIED_MAX = 3;
/** To one address of one origin. */
export const STRANGER_CONNECTIONS_OF_ORIGIN_MAX = 256;
/** A TLS session is taken up again for so long; then the certificate is looked at anew. */
export const STRANGER_SESSION_MAX_MS = 10 * 60_000;
/** Origins to which connections are kept, each with its address. */
export const STRANGER_POOLS_MAX = 1_000;

// Webhooks (interface.md «Limits», contract.md section 7)
export const WEBHOOK_PAGE_DEFAULT = 100;
export const WEBHOOK_PAGE_MAX = 1_000;
export const WEBHOOK_DESCRIPTION_CHARACTERS_MAX = 500;
/** Names that a request lists; four exist. */
export const WEBHOOK_EVENTS_NAMED_MAX = 50;
export const WEBHOOK_EVENT_CHARACTERS_MAX = 200;
/** Bytes that a secret is drawn from. */
export const WEBHOOK_SECRET_BYTES = 32;
/** What every reading but the first shows of a secret. */
export const WEBHOOK_SECRET_SHOWN_CHARACTERS = 8;
/** The old secret signs beside the new one for so long. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
export const WEBHOOK_ATTEMPTS_MAX = 6;
/** Between the end of each attempt and the beginning of the next. */
export const WEBHOOK_BACKOFF_MINUTES = [1, 5, 15, 60, 180] as const;
/** Of each of these pauses, earlier or later. */
export const WEBHOOK_JITTER_PERCENT = 10;
/** Failed attempts in a row that pause a subscription. */
export const WEBHOOK_FAILURES_MAX = 10;
/** Without an attempt, after which one event is let through to a paused subscription. */
export const WEBHOOK_QUIET_MINUTES = 60;
/** Attempts of a subscription that are shown. */
export const WEBHOOK_ATTEMPTS_SHOWN_MAX = 50;
/** Deliveries of one subscription that one append queues. */
export const DELIVERIES_QUEUED_AT_ONCE = 256;
/** Messages dispatched per event-loop turn; a slice with more has a turn of its own. */
export const WEBHOOK_MESSAGES_HANDED_OVER_A_TURN = 32;
/** Subscriptions for which one fact is queued at once. */
export const WEBHOOK_FAN_OUT_AT_ONCE = 64;
/** The list of subscriptions must show all that were registered before a fact. */
export const WEBHOOK_SHOWN_WAIT_MS = 5_000;
/** Organisations whose subscriptions are kept in memory between changes. */
export const WEBHOOK_SUBSCRIBERS_CACHED_MAX = 1_000;
/** Attempts of a subscription that are under way at once: at first, */
export const WEBHOOK_WINDOW_FIRST = 4;
/** and where all goes well. */
export const WEBHOOK_WINDOW_MAX = 16;
/** Of all subscriptions whose URLs have one origin, slow ones aside, */
export const WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX = 32;
/** and of slow ones, beyond which they count among the others. */
export const WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX = 224;
/** Attempts under way that have not turned out to be slow, */
export const WEBHOOK_ATTEMPTS_AT_ONCE_MAX = 256;
/** and besides them so many slow ones: a receiver that hangs takes no place of another's. */
export const WEBHOOK_SLOW_ATTEMPTS_MAX = 2_048;
/** An attempt is slow that has taken so long. */
export const WEBHOOK_SLOW_MS = 500;
/** Attempts that are over and not recorded yet, beyond which their places are not given on. */
export const WEBHOOK_UNRECORDED_MAX = 1_024;
/** Secrets that are kept open in memory. */
export const WEBHOOK_SECRETS_KEPT_MAX = 10_000;
/** Deliveries that are held in memory, waiting for their turn. */
export const WEBHOOK_HELD_DELIVERIES_MAX = 4_096;
/** Of one subscription, as many times its attempts at once. */
export const WEBHOOK_HELD_WINDOWS = 4;
/** Deliveries of a subscription that are in no table yet; beyond it, more are queued at once. */
export const WEBHOOK_FRESH_OF_LANE_MAX = 1_024;
/** Queued, too, is what its turn has not come for in so long, */
export const WEBHOOK_FRESH_MAX_AGE_MS = 30_000;
/** or in so long where no more of any subscription can be taken, */
export const WEBHOOK_FRESH_CROWDED_MAX_AGE_MS = 15_000;
/** and then, for so long, all that its subscription hears of; */
export const WEBHOOK_BEHIND_MS = 30_000;
/** one whose first attempt has taken so long and goes on, */
export const WEBHOOK_SECURE_MS = 2_000;
/** and all that go to a receiver that was as slow or failed, for so long or until it is well. */
export const WEBHOOK_COLD_MS = 5_000;
/** One that is queued while its attempt goes on is due after so long, if nothing came of it. */
export const WEBHOOK_SECURED_MS = 15_000;
/** Deliveries that went well are recorded together that end within so long, */
export const DELIVERED_GATHER_MS = 25;
/** so many of a subscription at once. */
export const DELIVERED_OF_FACT_MAX = 128;
/** What was delivered by an owner before is asked for from so long before the fact on, */
export const WEBHOOK_DELIVERED_BEFORE_MS = 60_000;
/** and kept in memory: ids of all subscriptions. */
export const WEBHOOK_DELIVERED_BEFORE_IDS_MAX = 100_000;
/** What could not even be tried, for a reason on our side, is left alone for so long. */
export const WEBHOOK_REST_MS = 60_000;
/** Deliveries that are due are counted up to here at a look at the metrics. */
export const WEBHOOK_DUE_COUNTED_MAX = 10_000;
/** Between two looks at the backlog: as long as the first has taken, at least, */
export const WEBHOOK_LOOK_MS = 2;
/** and at most. */
export const WEBHOOK_LOOK_MAX_MS = 25;
/** An advance of the virtual clock waits so long for what is due to be delivered. */
export const WEBHOOK_FIRE_MAX_MS = 120_000;
/** Journals of deliveries live so long, and with them what can be recovered or repeated. */
export const DELIVERY_RETENTION_DAYS = 30;

// Requests (contract.md section 1)
export const BODY_BYTES_MAX = 1024 * 1024;
export const IMPORT_BODY_BYTES_MAX = 64 * 1024 * 1024;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
/** Of the name of an unknown member, in the path that names it. */
export const MEMBER_NAMED_CHARACTERS_MAX = 100;
/** What `Retry-After` says on 429 and 503, where the refusal knows no better. */
export const RETRY_AFTER_S = 2;
/** Levels of a JSON body. */
export const BODY_DEPTH_MAX = 64;
/** Members and items of a JSON body, on all levels, where its route sets no other bound. */
export const BODY_VALUES_MAX = 5_000;
/** An answer that takes longer to be made lets others come in between so often. */
export const SLICE_MAX_MS = 5;
export const HEADER_BYTES_MAX = 16 * 1024;
export const REQUEST_ID_CHARACTERS_MAX = 128;
/** A request that has not arrived whole by then is ended. */
export const REQUEST_RECEIVE_TIMEOUT_MS = 60_000;
/** An idle connection is kept for so long: longer than load balancers use one of theirs, 60 s. */
export const CONNECTION_IDLE_MAX_MS = 72_000;
/** How late a deadline is noticed at most, where one timer watches many of them. */
export const DEADLINE_SWEEP_MS = 100;
/** A request is answered within so long, or told that it was not; longer than a call of the log. */
export const REQUEST_ANSWER_MAX_MS = 15_000;
/** So long for imports of buildings, moves of the virtual clock, and rules that are tried out. */
export const REQUEST_ANSWER_LONG_MAX_MS = 300_000;
/** What readiness and the measurements ask of log and database, they ask for so long. */
export const READINESS_ANSWER_MAX_MS = 2_000;
/** What readiness and the measurements have found is shown again for this long. */
export const READINESS_KEPT_MS = 1_000;
/** File descriptors are counted so often, */
export const DESCRIPTORS_LOOK_MS = 2_000;
/** and beyond this share of their limit are logged, */
export const DESCRIPTORS_SHARE_MAX = 0.9;
/** so often while it lasts. */
export const DESCRIPTORS_LINE_EVERY_MS = 60_000;
/** A longer lag is reported by readiness and `atrium doctor`, and has an alert. */
export const LAG_MAX_S = 60;
/** That the last append failed keeps a process from being ready for so long. */
export const APPENDS_FAILING_SHOWN_MS = 5_000;
/** A file that is written as it is read goes out in pieces of about so much. */
export const EXPORT_PIECE_CHARACTERS = 64 * 1024;
/** One of which nothing was taken for so long is ended. */
export const EXPORT_UNREAD_MAX_MS = 300_000;
/** One that has not been read to its end so long after the server began to stop is ended. */
export const EXPORT_STOP_MS = 5_000;
/** Smaller answers are sent as they are: compressing them costs more than it saves. */
export const COMPRESSED_BYTES_MIN = 1_024;
/** Answers that are compressed at once: as many as Node has threads for it. */
export const COMPRESSIONS_AT_ONCE_MAX = 4;
/** Requests are turned away while the event loop is held up longer than this. */
export const EVENT_LOOP_DELAY_MAX_MS = 2_000;
/** So often it is looked whether it is; each look wakes a process that nobody uses. */
export const LOOP_LOOK_MS = 500;
/** The interval that the metrics of its delay are measured in, and which is part of them. */
export const LOOP_METRIC_MS = 50;
/** A process that stops waits so long for the spans that it has not sent yet. */
export const TRACES_FLUSH_MAX_MS = 2_000;
/** That spans are lost is told no more often. */
export const TRACES_LOST_TOLD_MS = 60_000;
/** Of a batch of events that a projection applies: the spans of so many traces are recorded. */
export const TRACED_OF_BATCH_MAX = 200;
/** Of failures of one kind that requests meet, one is logged in so long. */
export const FAILURE_LINE_EVERY_MS = 1_000;
/** How long a server that starts waits for a database and a log that cannot be reached yet. */
export const START_WAIT_MAX_MS = 120_000;
/** It tries again after so long at most. */
export const START_RETRY_MAX_MS = 2_000;
/** In production, a server that is to stop is not ready for so long before it does: */
export const SHUTDOWN_DELAY_DEFAULT_S = 5;
/** for so long at most. */
export const SHUTDOWN_DELAY_MAX_S = 300;
/** How long a stopping server waits for the requests under way. */
export const STOP_GRACE_MS = 20_000;
/** A stop that takes longer than this is logged, with what it waits for. */
export const STOP_NOTED_MS = 10_000;
/** Of a stopping server: who has sent no whole request may still do so for so long, */
export const CONNECTION_STOP_WAIT_MS = 1_000;
/** and who has not taken his answer by then is cut off. */
export const CONNECTIONS_STOP_MS = 17_000;
/** A GET that carries a position is held so long at most. */
export const READ_YOUR_WRITES_WAIT_MS = 2_000;
/** A command's own response waits so long at most for the read models that show it. */
export const COMMAND_VISIBLE_WAIT_MS = 500;
/** Read models further behind than this are not waited for. */
export const COMMAND_VISIBLE_LAG_MAX_MS = 5_000;

// Identity (contract.md section 2)
export const TOKEN_CLOCK_SKEW_S = 30;
/** A longer token is refused before any of it is read. */
export const TOKEN_CHARACTERS_MAX = 8_192;
export const SUBJECT_CLAIM_CHARACTERS_MAX = 255;
export const ORGANISATION_CHARACTERS_MAX = 64;
/** Of `exp` and `nbf` in a token: a later one is no time that anybody means. */
export const TOKEN_TIME_MAX_S = 10 ** 11;
/** Of a name or an e-mail address as they go into an actor; what is longer is left out. */
export const ACTOR_NAME_CHARACTERS_MAX = 200;
/** One question to the issuer, from dialling to the last byte. */
export const ISSUER_TIMEOUT_MS = 5_000;
export const ISSUER_ATTEMPTS_MAX = 3;
/** Between attempts, doubled each time. */
export const ISSUER_RETRY_PAUSE_MS = 100;
/** After the last attempt the issuer is left alone for so long. */
export const ISSUER_DOWN_PAUSE_MS = 1_000;
export const KEY_SET_AGE_MAX_MS = 600_000;
/** While the issuer is away, keys that were fetched earlier verify tokens for at most so long. */
export const KEY_SET_KEPT_MAX_MS = 24 * 3_600_000;
/** Readiness fetches a key set of this age again, which shows whether the issuer is there. */
export const ISSUER_LOOK_MS = 60_000;
/** The signature of a portal session that was right is not checked again for so long. */
export const SESSION_REMEMBERED_MS = 60_000;
/** How many of them. */
export const SESSIONS_REMEMBERED_MAX = 5_000;
/** An unknown key id has the key set read again at most so often. */
export const KEY_SET_RELOAD_PAUSE_MS = 30_000;

// API keys and audit (interface.md «Limits», contract.md section 3)
export const KEYS_ACTIVE_MAX = 5;
export const KEY_LIFETIME_DAYS_MIN = 1;
export const KEY_LIFETIME_DAYS_MAX = 365;
export const KEY_LIFETIME_DAYS_DEFAULT = 90;
export const KEY_LABEL_CHARACTERS_MAX = 100;
export const AUDIT_PAGE_DEFAULT = 100;
export const AUDIT_PAGE_MAX = 500;
/** `wait` holds an answer without records so long at most. */
export const AUDIT_WAIT_MAX_S = 25;
/** Readers of the audit who are held, of one caller, */
export const AUDIT_WAITING_OF_CALLER_MAX = 4;
/** of one organisation, */
export const AUDIT_WAITING_OF_ORGANISATION_MAX = 20;
/** and of all. */
export const AUDIT_WAITING_MAX = 500;
/** Exports at once, of one caller, */
export const AUDIT_EXPORTS_OF_CALLER_MAX = 2;
/** of one organisation, */
export const AUDIT_EXPORTS_OF_ORGANISATION_MAX = 4;
/** and of all. */
export const AUDIT_EXPORTS_MAX = 32;
/** An export asks for so many records at once, whenever its reader has taken those before. */
export const AUDIT_EXPORT_AT_ONCE_ROWS = 1_000;
/** One answer of a key's history searches so many events at most; `nextCursor` goes on. */
export const HISTORY_SEARCH_EVENTS_MAX = 10_000;
/** Calendar months: the same day and time of day, or the month's last day. */
export const AUDIT_RETENTION_MONTHS = 18;
/** `atrium audit verify` waits so long for the audit to show what the log held when it began. */
export const AUDIT_VERIFY_WAIT_MS = 5_000;
/**
 * A command waits this long for the process that feeds a read model to begin a requested rebuild,
 * verification, retry or skip. `--wait` overrides it.
 */
export const REQUEST_BEGUN_MAX_MS = 30_000;
/** The links of records that were followed are stored at most so often. docs/decisions/0048. */
export const AUDIT_CHAIN_DELAY_MS = 10_000;
/** Links that are stored as one event, of 64 characters each. */
export const AUDIT_CHAIN_BLOCK_RECORDS_MAX = 1_000;
/** So many of these events in one append: well below the 1 MiB that EventStoreDB takes. */
export const AUDIT_CHAIN_APPEND_BLOCKS_MAX = 8;
/** Chains that are written at once. */
export const AUDIT_CHAIN_APPENDS_AT_ONCE = 64;
/** Records that wait to be chained: more would hold up requests when their turn comes. */
export const AUDIT_CHAIN_WAITING_RECORDS_MAX = 1_000;
/** Ends of chains kept in memory. */
export const AUDIT_CHAINS_KEPT_MAX = 10_000;
/** A checkpoint holds a chain's hash at its end, and after so many records each. */
export const AUDIT_CHECKPOINT_EVERY_RECORDS = 1_000;
/** Records of one journal that `atrium audit verify` names; of more, how many they are. */
export const AUDIT_NAMED_MAX_RECORDS = 100;
/** Of a User-Agent as it goes into a use record; what is longer is cut. */
export const USER_AGENT_CHARACTERS_MAX = 512;
/** Of a source address; what is longer is none. */
export const SOURCE_CHARACTERS_MAX = 64;
/** Denials without a right secret that are recorded singly, per source address and minute. */
export const DENIALS_SINGLE_MAX = 5;
/** Source addresses a minute that are counted apart; all others share one count. */
export const DENIAL_SOURCES_MAX = 100;
/** Denials are counted in windows of this length. */
export const DENIAL_WINDOW_MS = 60_000;
/** How often it is looked at whether a window is over, or was lost. */
export const DENIAL_LOOK_MS = 10_000;
/** A window whose counts are not recorded so long after its end was lost. */
export const DENIAL_WINDOW_LOST_MS = 60_000;
/** Keyrings kept folded in memory; the log confirms each, in every request, before it counts. */
export const KEYRINGS_CACHED_MAX = 2_000;
/** Times a request is judged anew because its keyring has moved; then it is answered 503. */
export const KEY_CHECKS_MAX = 8;

// The development issuer (contract.md section 2, interface.md «Authentication» 8)
export const DEVELOPMENT_TOKEN_LIFETIME_S = 3_600;
export const SESSION_UNUSED_MAX_S = 30 * 24 * 3_600;
export const DEVICE_CODE_LIFETIME_S = 600;
export const DEVELOPMENT_FORM_BYTES_MAX = 4_096;
/** Codes, tokens and sessions kept in memory; beyond it the oldest go. */
export const DEVELOPMENT_ENTRIES_MAX = 20_000;

// Kernel (design.md decisions 4 to 6)
/** Lost races after which a command is answered UNAVAILABLE. */
export const DECIDE_ATTEMPTS_MAX = 8;
/** Every call of the event log answers or fails within so long; a subscription never ends by it. */
export const LOG_CALL_TIMEOUT_MS = 10_000;
/** To look whether it is the certificate, where a log over TLS cannot be reached. */
export const LOG_TRUST_CHECK_MS = 1_000;
/** A call of EventStoreDB that is unanswered for so long makes its cluster be asked who leads. */
export const LOG_SILENT_MS = 2_000;
/** It is asked so often while the call stays unanswered. */
export const LOG_LEADER_LOOK_MS = 250;
/** And so often, at most, while calls are answered: so it is known who answers them. */
export const LOG_LEADER_LEARNT_MS = 10_000;
/** A server has so long to say who leads, to us and to a client that looks for the leader. */
export const LOG_GOSSIP_MAX_MS = 1_000;
/** What a server says of the others is a few kilobytes. */
export const LOG_GOSSIP_BYTES_MAX = 1024 * 1024;
/** A connection of the embedded log that has not been used for so long is ended. */
export const LOG_CONNECTION_IDLE_MAX_MS = 10_000;
/** Whoever uses a log and a database alone looks so often for what it may have missed. */
export const ALONE_LOOK_MS = 5_000;
/** As above, where nothing but a crash or a log that is away leaves something behind. */
export const ALONE_SWEEP_MS = 30_000;
/** A subscription asks the log so often even if nothing has woken it. */
export const LOG_POLL_MS = 1_000;
/** A log that drops its subscribers because it is busy is read by pages, so often, */
export const LOG_PAGED_EVERY_MS = 10;
/** while a page holds more than so many events, */
export const LOG_PAGED_BUSY_EVENTS = 2;
/** and for so long after that; then it is subscribed to again. */
export const LOG_PAGED_QUIET_MS = 1_000;
/** Where the server counts more than it shows, an append that it refused is looked for so long. */
export const LOG_SHOWN_MAX_MS = 2_000;
/** Between two attempts to reach the log. */
export const LOG_RETRY_MS = 100;
/** One commit of the embedded log takes so many events and bytes at most, or a single append. */
export const LOG_COMMIT_EVENTS_MAX = 1_024;
export const LOG_COMMIT_BYTES_MAX = 1024 * 1024;
/** A filtered page looks at so many positions at most. */
export const LOG_SEARCH_POSITIONS = 50_000;
/** EventStoreDB: appends to one journal that share a call, and how many calls of them at once. */
export const LOG_GROUP_BYTES_MAX = 256 * 1024;
export const LOG_GROUPS_AT_ONCE_MAX = 2;
/** And how many calls of all journals together. */
export const LOG_GROUPS_IN_ALL_MAX = 16;
/** Whether a journal holds an event already is looked up so far back from its end. */
export const LOG_REPEAT_SEARCH_EVENTS = 2_000;
/** Journal appends remembered to detect a retry, whether answered or of unknown outcome. */
export const LOG_ANSWERS_KEPT_MAX = 10_000;
/** Shared journals of a process, so that one is appended to while another is waited for. */
export const SHARED_JOURNALS_OF_PROCESS = 2;
/** Open journals of all processes, two each; opening one more closes the oldest. */
export const SHARED_JOURNALS_OPEN_MAX = 256;
/** A process that stops closes its own within so long, or leaves that to others. */
export const SHARED_JOURNAL_CLOSE_MS = 1_000;
/** Streams that guard shared journals whose revision is kept in memory. */
export const GUARDS_KNOWN_MAX = 10_000;
/** And those of which it is known that their last change is announced. */
export const GUARDS_ANNOUNCED_KEPT_MAX = 10_000;
/** A change of a keyring is announced a second time for so long: a shared journal is of a month. */
export const KEYRING_CHANGE_ANNOUNCED_DAYS = 62;
/** Uses in a shared journal are indexed by organisation, so many at a time. */
export const USE_INDEX_SECTION_RECORDS = 10_000;
/** Uses of an organisation that lie no further apart are read together, with what is between. */
export const USE_INDEX_GAP_RECORDS = 50;
/** A filtered subscription searches so many events at once, and says how far it is after them. */
export const LOG_SUBSCRIPTION_WINDOW_EVENTS = 2_000;
/** The embedded Postgres writes what it has to write, and is gone, within so long. */
export const EMBEDDED_STOP_TIMEOUT_MS = 60_000;
/** Connections that the embedded server takes, of all processes together. */
export const EMBEDDED_CONNECTIONS_MAX = 300;
/** Memory that the embedded server keeps pages in: at least so much, */
export const EMBEDDED_BUFFERS_MIN_MIB = 128;
/** and at most so much, however large the machine. */
export const EMBEDDED_BUFFERS_MAX_MIB = 1024;
/** An embedded Postgres that has died and cannot be started is tried again so often. */
export const EMBEDDED_RETRY_MS = 2_000;
/** The embedded Postgres is started, or found running, within so long. */
export const EMBEDDED_START_TIMEOUT_MS = 60_000;
/** Lost races for a reservation of numbers after which the create is answered UNAVAILABLE. */
export const NUMBERS_ATTEMPTS_MAX = 50;
/** Aggregates kept folded in memory; each is confirmed by a tail read before it is used. */
export const AGGREGATES_CACHED_MAX = 2_000;
/** Of those of one kind, about, counted as `src/engine/concurrency/estimated-size.ts` does. */
export const AGGREGATES_CACHED_BYTES_MAX = 64 * 1024 * 1024;
/** What an aggregate keeps for each command that it was given: ids, a hash, their slots. */
export const AGGREGATE_COMMAND_BYTES = 400;
/** A holder of leases whose heartbeat is so old is replaced (design.md decision 18). */
export const LEASE_SILENT_MAX_MS = 15_000;
/** A process tells the others so often which release it is; {@link LEASE_SILENT_MAX_MS} holds. */
export const RELEASE_BEAT_MS = 5_000;
/** What only a newer release can read is left to it so long, and then looked at again. */
export const NEWER_RELEASE_REST_MS = 5_000;
/** A process that cannot feed a read model leaves it to others so long, and then looks again. */
export const SHAPE_LOOK_MS = 5_000;
export const PROJECTION_BATCH_EVENTS_MAX = 1_000;
/** A process's checkpoint is copied to the log at most so often. */
export const PROCESS_CHECKPOINT_COPY_MS = 5_000;
export const TIMER_SLEEP_MAX_MS = 60_000;
export const TIMERS_AT_ONCE_MAX = 16;
/**
 * A building's tickets are moved only once the list shows all of them: waited for so long at a
 * time.
 */
export const RELOCATION_SHOWN_WAIT_MS = 5_000;
/** Announcements and bus events live so long. */
export const ANNOUNCEMENT_RETENTION_DAYS = 7;

// Moving the log (docs/operating/move-the-log.md)
/** A file of events says so often how far it is whole. */
export const EXPORT_MARK_EVENTS = 10_000;
/** Streams of which the export remembers where they begin. */
export const EXPORT_STREAMS_KEPT_MAX = 100_000;
/** A longer line is not one of ours. */
export const EVENT_LINE_BYTES_MAX = 64 * 1024 * 1024;
/** Below the 1 MiB that EventStoreDB takes in one append, with room for what it adds. */
export const IMPORT_APPEND_BYTES_MAX = 900_000;
/** Events of a file that are sent together; with `--fast`, they may change places among them. */
export const IMPORT_BLOCK_EVENTS = 1_024;
export const IMPORT_APPENDS_AT_ONCE = 64;
/** A log that cannot be reached is asked again for so long; then the import ends. */
export const IMPORT_RETRY_MAX_MS = 120_000;
/** Streams and events that a refusal names. */
export const IMPORT_NAMED_MAX_EVENTS = 10;
/** How often a progress line is shown, on a terminal and elsewhere. */
export const PROGRESS_TERMINAL_MS = 250;
export const PROGRESS_LINE_MS = 5_000;

// Postgres
export const DATABASE_CONNECTIONS_MAX = 10;
export const DATABASE_CONNECT_TIMEOUT_MS = 5_000;
export const DATABASE_STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the statement's own, so that the server's answer comes first. */
export const DATABASE_QUERY_TIMEOUT_MS = 35_000;
/** What a stopped process keeps locked is free by the time another takes over from it. */
export const DATABASE_IDLE_IN_TRANSACTION_MAX_MS = 10_000;

// Rebuilding read models (docs/operating/rebuild-a-read-model.md)
/** Rows that a rebuild keeps in memory; beyond it, it goes on by batches. */
export const REBUILD_ROWS_IN_MEMORY_MAX = 400_000;
/** So it does beyond about so much memory of them. */
export const REBUILD_BYTES_IN_MEMORY_MAX = 2 * 1024 * 1024 * 1024;
/** A read model that has to be made, and has so many events before it, is made by a rebuild. */
export const REBUILD_EVENTS_MIN = 10_000;
/** A rebuild's progress is written down so often, and whether it was cancelled is read. */
export const REBUILD_PROGRESS_MS = 500;
/** So long may the swap hold up readers of the read model; then it steps back and tries again. */
export const SWAP_LOCK_FIRST_MS = 50;
/** Below Postgres's own `deadlock_timeout`, which would end a reader instead. */
export const SWAP_LOCK_MAX_MS = 500;
/** Ended requests of a consumer that are kept to be looked at. */
export const REQUESTS_KEPT = 20;
/** Rows of each table, and streams, that a report names. */
export const DIFFERENCES_NAMED_MAX = 10;
/** How often the operator's command looks at how far its request is. */
export const REQUEST_LOOK_MS = 250;

// `atrium doctor` (docs/operating/doctor.md)
/** A check that has no answer by then has failed. */
export const DOCTOR_CHECK_MAX_MS = 5_000;
/** What was opened for it is waited for so long when it is closed. */
export const DOCTOR_CLOSE_MAX_MS = 2_000;
/** As far as another clock may be off; below the skew that tokens are allowed. */
export const DOCTOR_CLOCK_SKEW_MAX_MS = 5_000;
/** The audit's chains are written every few seconds, and how far they are every minute. */
export const AUDIT_CHAIN_LAG_MAX_S = 300;
/** Less is a disk that is about to be full: in bytes, or of the whole. */
export const DOCTOR_DISK_FREE_MIN_BYTES = 1024 ** 3;
export const DOCTOR_DISK_FREE_MIN_PERCENT = 5;

// Consumers of the log: projections, processes, timers
/** The shared reader keeps so many events for consumers that lag; who lags further reads alone. */
export const READER_BUFFER_EVENTS_MAX = 10_000;
/** And so many that everybody has had, for consumers that come. */
export const READER_KEPT_EVENTS = 1_000;
/** A log that grows again so soon is a busy one, */
export const READER_BUSY_MS = 20;
/** where the reader waits so long for a fuller page. */
export const READER_FULLER_PAGE_MS = 8;
/** Failures of the log or the database are retried without end, at these pauses. */
export const RETRY_FIRST_MS = 100;
export const RETRY_MAX_MS = 10_000;
/** Rows a projection keeps in memory while it is owned here. */
export const PROJECTION_ROWS_CACHED_MAX = 20_000;
/** And about so much memory of them. */
export const PROJECTION_ROWS_CACHED_BYTES_MAX = 128 * 1024 * 1024;
/** That the log was searched without finding anything is saved at most so often. */
export const PROGRESS_SAVED_MS = 200;
/** How often a process looks at all checkpoints: for lag, dropped tables, and requests. */
export const CONSUMERS_WATCH_MS = 1_000;
/** How often a process holds the log against what was fed from it. */
export const LOG_CHECKED_MS = 10_000;
/** The latest event that a process was told is stored is noted at most so often. */
export const LOG_WITNESS_NOTED_MS = 1_000;
/** Numbers of tickets left out after a restore: told to somebody, and shown by no list yet. */
export const RESTORE_NUMBERS_SKIPPED = 1_000;
/** How often it does while somebody waits for a read model fed by another process. */
export const WAIT_POLL_MS = 5;
/** Lanes that a process serves at once, */
export const LANES_AT_ONCE_MAX = 16;
/** and besides them so many slow ones. */
export const LANES_SLOW_MAX = 256;
/** A lane is slow that has taken so long over one event. */
export const LANE_SLOW_MS = 200;
/** And is written down, so that it holds up the checkpoint no further, after so long. */
export const LANE_HOLDS_CHECKPOINT_MAX_MS = 5_000;
/** Events that a process has taken and not finished; beyond it, it takes no more. */
export const LANES_QUEUED_EVENTS_MAX = 2_000;
/** Time that the queue may stay full before its longest lane is set aside. */
export const LANES_FULL_MAX_MS = 1_000;
/** What is done but not durable yet, by its weight; beyond it, nothing more is begun. */
export const LANES_SETTLING_WEIGHT_MAX = 4_096;
/** A process that is stopped waits so long for what it has under way. */
export const LANES_END_WAIT_MS = 5_000;
/** A process writes down how far it has come at most so often. */
export const PROCESS_SAVED_MS = 50;
/**
 * Attempts at a command that fails for a reason nobody has a name for; then its stream is parked.
 */
export const PROCESS_ATTEMPTS_MAX = 5;
/** A waker looks at its rows so often at most, however often they change. */
export const TIMER_LOOK_MS = 50;
/** A timer whose command changed nothing is tried again after these pauses. */
export const TIMER_STUCK_FIRST_MS = 60_000;
export const TIMER_STUCK_MAX_MS = 3_600_000;
/** A timer is not fired before its table shows the log's head; so long is that waited for. */
export const TIMER_CURRENT_WAIT_MS = 2_000;
/** Due times that one advance of the virtual clock may stop at. */
export const ADVANCE_STEPS_MAX = 10_000;
/** How long an advance waits at each for projections and processes that come no further. */
export const ADVANCE_SETTLE_MAX_MS = 30_000;
/** And for so many generations of what they do about what the others have done. */
export const ADVANCE_SETTLE_ROUNDS_MAX = 20;

// The live service (contract.md section 8)
/** Of one message of a client: it says which building it joins, and no more. */
export const LIVE_MESSAGE_BYTES_MAX = 16 * 1024;
/** Who has named no namespace by then is disconnected. */
export const LIVE_CONNECT_MAX_MS = 10_000;
export const LIVE_CONNECTIONS_OF_CALLER_MAX = 1_000;
export const LIVE_CONNECTIONS_OF_ORGANISATION_MAX = 5_000;
export const LIVE_CONNECTIONS_MAX = 20_000;
/** Buildings that one connection listens to. */
export const LIVE_ROOMS_OF_CONNECTION_MAX = 50;
/** Of one connection. */
export const LIVE_REQUESTS_A_SECOND_MAX = 20;
/** Packets of any kind, of one connection: who sends more is disconnected. */
export const LIVE_PACKETS_A_SECOND_MAX = 500;
/** Of one connection in its life: a client that was refused opens another. */
export const LIVE_HANDSHAKES_OF_CONNECTION_MAX = 10;
/** Requests of one connection that wait for those before them. */
export const LIVE_REQUESTS_WAITING_MAX = 20;
/** Replays at once, of one organisation, */
export const LIVE_REPLAYS_OF_ORGANISATION_MAX = 8;
/** and of all. */
export const LIVE_REPLAYS_MAX = 16;
/** Who finds no place for a replay waits so long for one. */
export const LIVE_REPLAY_WAIT_MS = 5_000;
/** A replay looks at so many events of telemetry and bus, of whichever building, */
export const LIVE_REPLAY_EVENTS_MAX = 10_000;
/** and sends so many messages, */
export const LIVE_REPLAY_MESSAGES_MAX = 10_000;
/** which are so long in all. Longer ones would be taken for a slow client's. */
export const LIVE_REPLAY_BYTES_MAX = 2 * 1024 * 1024;
/** A replay that the log outruns looks again so often. */
export const LIVE_REPLAY_PASSES_MAX = 20;
/** A connection with so much on its way to the client is sent no more until some has arrived; */
export const LIVE_SENT_BYTES_MAX = 256 * 1024;
/** what is kept for it meanwhile, the latest of each point, is this much at most. */
export const LIVE_KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** An acknowledgement counts for so much of both: what keeping it takes, rather than its text. */
export const LIVE_ACKNOWLEDGEMENT_BYTES = 256;
/** Messages that are sent as one piece. */
export const LIVE_MESSAGES_AT_ONCE_MAX = 100;
/** What the log tells is handed on for so long before others get their turn. */
export const LIVE_TURN_MS = 10;
/** A key's session is checked again so often: far within the five minutes of a revocation. */
export const LIVE_KEY_CHECK_MS = 120_000;
/** Clients that do not close when their session has ended are cut off after so long. */
export const LIVE_CLOSE_WAIT_MS = 1_000;

const related: readonly [boolean, string][] = [
  [AUDIT_PAGE_DEFAULT <= AUDIT_PAGE_MAX, 'the default page fits the largest'],
  [EXPORT_STOP_MS < STOP_GRACE_MS, 'an export ends before the server gives up'],
  [
    REQUEST_ANSWER_MAX_MS < CONNECTIONS_STOP_MS && CONNECTIONS_STOP_MS < STOP_GRACE_MS,
    'requests under way are answered, and then the connections end in time',
  ],
  [TICKET_PAGE_DEFAULT <= TICKET_PAGE_MAX, 'the default page fits the largest'],
  [CHANGES_PAGE_DEFAULT <= CHANGES_PAGE_MAX, 'the default page fits the largest'],
  [WEBHOOK_PAGE_DEFAULT <= WEBHOOK_PAGE_MAX, 'the default page fits the largest'],
  [STRANGER_DEADLINE_MS < WEBHOOK_SECURED_MS, 'an attempt is over before it is made again'],
  [
    STRANGER_CONNECTIONS_OF_ORIGIN_MAX >=
      WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX + WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX,
    'an attempt finds a connection',
  ],
  [
    WEBHOOK_BACKOFF_MINUTES.length === WEBHOOK_ATTEMPTS_MAX - 1,
    'there is a pause before each attempt but the first',
  ],
  [
    CHANGES_WAITING_OF_ORGANISATION_MAX < CHANGES_WAITING_MAX,
    'one organisation cannot wait for all',
  ],
  [SEARCHES_OF_ORGANISATION_MAX < SEARCHES_MAX, 'one organisation cannot search for all'],
  [
    TICKET_EXPORTS_OF_CALLER_MAX < TICKET_EXPORTS_OF_ORGANISATION_MAX &&
      TICKET_EXPORTS_OF_ORGANISATION_MAX < TICKET_EXPORTS_MAX,
    'nobody takes all places of exports',
  ],
  [
    TICKET_IMPORTS_OF_CALLER_MAX < TICKET_IMPORTS_OF_ORGANISATION_MAX &&
      TICKET_IMPORTS_OF_ORGANISATION_MAX < TICKET_IMPORTS_MAX,
    'nobody takes all places of imports',
  ],
  [
    SEARCHES_MAX + TICKET_EXPORT_READS_AT_ONCE_MAX < DATABASE_CONNECTIONS_MAX,
    'searches and exports leave connections to others',
  ],
  [LARGE_INGESTS_OF_ORGANISATION_MAX < LARGE_INGESTS_MAX, 'one organisation cannot ingest for all'],
  [DRY_RUNS_OF_ORGANISATION_MAX < DRY_RUNS_MAX, 'one organisation cannot try rules for all'],
  [SIMULATIONS_OF_ORGANISATION_MAX < SIMULATIONS_MAX, 'nor simulate for all'],
  [AUDIT_WAITING_OF_ORGANISATION_MAX < AUDIT_WAITING_MAX, 'nor wait for all'],
  [AUDIT_EXPORTS_OF_ORGANISATION_MAX < AUDIT_EXPORTS_MAX, 'nor export for all'],
  [BUS_PAGE_DEFAULT <= BUS_PAGE_MAX, 'the default page fits the largest'],
  [BUS_DATA_BYTES_MAX < BODY_BYTES_MAX, 'a message fits a body'],
  [NATS_REPEATS_KNOWN_MS <= NATS_KEPT_MS, 'a repeat is known as long as the message at most'],
  [NATS_PULL_MS < NATS_ACKNOWLEDGED_WITHIN_MS, 'an old request ends before a message comes again'],
  [LIVE_REPLAY_BYTES_MAX < LIVE_KEPT_BYTES_MAX, 'a replay is no sign of a slow client'],
  [
    LIVE_CONNECTIONS_OF_ORGANISATION_MAX < LIVE_CONNECTIONS_MAX,
    'one organisation cannot listen for all',
  ],
  [LIVE_REPLAYS_OF_ORGANISATION_MAX < LIVE_REPLAYS_MAX, 'nor replay for all'],
  [LIVE_KEY_CHECK_MS < 5 * 60_000, 'a revoked key ends its sessions in time'],
  [SPACES_PAGE_DEFAULT <= SPACES_PAGE_CAPPED_MAX, 'the default page fits a capped deployment'],
  [GRAPH_PAGE_DEFAULT <= GRAPH_PAGE_MAX, 'the default page fits the largest'],
  [LOG_CALL_TIMEOUT_MS < REQUEST_ANSWER_MAX_MS, 'the log answers before the request is late'],
  [COMMAND_VISIBLE_WAIT_MS < READ_YOUR_WRITES_WAIT_MS, 'a command waits less than a read'],
  [SESSION_REMEMBERED_MS < KEY_SET_AGE_MAX_MS, 'keys are kept longer than what they have signed'],
  [KEY_SET_RELOAD_PAUSE_MS < KEY_SET_AGE_MAX_MS, 'an unknown key reloads before the set is old'],
  [KEY_SET_RELOAD_PAUSE_MS < ISSUER_LOOK_MS, 'a look at the issuer is not the pause of the last'],
  [KEY_SET_AGE_MAX_MS < KEY_SET_KEPT_MAX_MS, 'keys outlive an outage of their issuer'],
  [
    DATABASE_IDLE_IN_TRANSACTION_MAX_MS < LEASE_SILENT_MAX_MS,
    'locks are free before another takes over',
  ],
  [
    IMPORTS_OF_CALLER_MAX < IMPORTS_OF_ORGANISATION_MAX &&
      IMPORTS_OF_ORGANISATION_MAX < IMPORTS_AT_ONCE_MAX,
    'nobody takes all places of imports',
  ],
  [REQUEST_BEGUN_MAX_MS > LEASE_SILENT_MAX_MS, 'a verification outlives an owner that was killed'],
  [RELEASE_BEAT_MS * 2 < LEASE_SILENT_MAX_MS, 'a release is alive though a beat is missed'],
  [ALONE_LOOK_MS < LOG_CONNECTION_IDLE_MAX_MS, 'a connection that is looked over is kept'],
  [IMPORT_MAX_MS < REQUEST_ANSWER_LONG_MAX_MS, 'an import ends before the request is late'],
  [
    REQUEST_ANSWER_LONG_MAX_MS < SANDBOX_PASSED_ANSWER_MAX_MS,
    'a request that is passed on is late where it is answered first',
  ],
  [BODY_BYTES_MAX < IMPORT_BODY_BYTES_MAX, 'imports are larger than bodies'],
  [IMPORT_BLOCK_EVENTS <= LOG_COMMIT_EVENTS_MAX, 'a block of an import is one commit'],
  [IMPORT_APPEND_BYTES_MAX <= LOG_COMMIT_BYTES_MAX, 'an append of an import is one commit'],
];
for (const [holds, what] of related) if (!holds) throw new Error(`limits.ts: ${what}: broken`);
