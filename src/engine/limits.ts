// The change feed (contract.md section 5)
/** Reads of one page of a feed that go by an index of the log. */
export const INDEXED_READS_AT_ONCE_MAX = 16;

// Webhooks (interface.md «Limits», contract.md section 7)
/** Journals of deliveries live so long, and with them what can be recovered or repeated. */
export const DELIVERY_RETENTION_DAYS = 30;

// Requests (contract.md section 1)
/** An answer that takes longer to be made lets others come in between so often. */
export const SLICE_MAX_MS = 5;
/** How late a deadline is noticed at most, where one timer watches many of them. */
export const DEADLINE_SWEEP_MS = 100;
/** What readiness and the measurements ask of log and database, they ask for so long. */
export const READINESS_ANSWER_MAX_MS = 2_000;
/** File descriptors are counted so often, */
export const DESCRIPTORS_LOOK_MS = 2_000;
/** and beyond this share of their limit are logged, */
export const DESCRIPTORS_SHARE_MAX = 0.9;
/** so often while it lasts. */
export const DESCRIPTORS_LINE_EVERY_MS = 60_000;
/** That the last append failed keeps a process from being ready for so long. */
export const APPENDS_FAILING_SHOWN_MS = 5_000;
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
/** Read models further behind than this are not waited for. */
export const COMMAND_VISIBLE_LAG_MAX_MS = 5_000;

// API keys and audit (interface.md «Limits», contract.md section 3)
/** Calendar months: the same day and time of day, or the month's last day. */
export const AUDIT_RETENTION_MONTHS = 18;

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
/** Announcements and bus events live so long. */
export const ANNOUNCEMENT_RETENTION_DAYS = 7;

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
