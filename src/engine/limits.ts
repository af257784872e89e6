// The change feed (contract.md section 5)
/** Concurrent reads of one feed page through an index of the log. */
export const INDEXED_READS_AT_ONCE_MAX = 16;

// Requests (contract.md section 1)
/** Longest time that serialising a response occupies the event loop at once. */
export const SLICE_MAX_MS = 5;
/** Precision of deadlines, many of which share one timer. */
export const DEADLINE_SWEEP_MS = 100;
/** How long a thread waits for another task before it is ended. */
export const THREAD_IDLE_MAX_MS = 10_000;
/** Timeout of the queries of readiness and measurements. */
export const READINESS_ANSWER_MAX_MS = 2_000;
/** Interval at which open file descriptors are counted. */
export const DESCRIPTORS_LOOK_MS = 2_000;
/** Share of the descriptor limit beyond which a warning is logged. */
export const DESCRIPTORS_SHARE_MAX = 0.9;
/** Shortest interval between these warnings. */
export const DESCRIPTORS_WARNING_MS = 60_000;
/** How long a failed append keeps the process from being ready. */
export const APPENDS_NOT_READY_MS = 5_000;
/** Interval of the check of the event loop's delay; each check wakes an idle process. */
export const LOOP_LOOK_MS = 500;
/** Resolution of the delay metric, whose values include it. */
export const LOOP_METRIC_MS = 50;
/** How long a stopping process waits for unsent spans. */
export const TRACES_FLUSH_MAX_MS = 2_000;
/** Shortest interval between warnings about lost spans. */
export const LOST_SPANS_WARNING_MS = 60_000;
/** Traces of one projection batch whose spans are recorded. */
export const TRACED_OF_BATCH_MAX = 200;
/** Read models further behind than this are not waited for. */
export const COMMAND_VISIBLE_LAG_MAX_MS = 5_000;

// Kernel (design.md decisions 4 to 6)
/**
 * Lost races after which a command is answered UNAVAILABLE. Of two processes that write one stream
 * all the time, each loses every second race: 8 were too few for 60 commands.
 */
export const DECIDE_ATTEMPTS_MAX = 32;
/** Timeout of every call of the event log; a subscription has none. */
export const LOG_CALL_TIMEOUT_MS = 10_000;
/** A waiting append with less time left is refused: with it, the others of its group would fail. */
export const LOG_APPEND_LEFT_MIN_MS = 1_000;
/** Timeout of the check whether an unreachable log's certificate is the cause. */
export const LOG_TRUST_CHECK_MS = 1_000;
/** A call that EventStoreDB leaves unanswered this long makes the client ask for the leader. */
export const LOG_SILENT_MS = 2_000;
/** Interval at which the leader is looked up while a call stays unanswered. */
export const LOG_LEADER_LOOK_MS = 250;
/** Shortest interval between leader look-ups while calls are answered. */
export const LOG_LEADER_LOOKED_UP_MS = 10_000;
/** Timeout of a gossip request. */
export const LOG_GOSSIP_MAX_MS = 1_000;
/** Upper bound of a gossip response, which has a few kilobytes. */
export const LOG_GOSSIP_BYTES_MAX = 1024 * 1024;
/** Idle connections of the embedded log are closed after this long. */
export const LOG_CONNECTION_IDLE_MAX_MS = 10_000;
/** Poll interval of a process that uses a log and a database alone. */
export const ALONE_LOOK_MS = 5_000;
/** Poll interval of a subscription whose connection has brought a notification. */
export const LOG_NOTIFIED_POLL_MS = 5_000;
/** Poll interval of a subscription that may not be notified. */
export const LOG_POLL_MS = 1_000;
/** Read interval while a busy log is read in pages, because it drops its subscribers. */
export const LOG_PAGED_EVERY_MS = 10;
/** A page with more events than this counts as busy. */
export const LOG_PAGED_BUSY_EVENTS = 2;
/** Time without busy pages after which the log is subscribed to again. */
export const LOG_PAGED_QUIET_MS = 1_000;
/** How long a refused append is searched for on a server that counts more than it shows. */
export const LOG_APPEND_VISIBLE_MAX_MS = 2_000;
/** Pause between attempts to reach the log. */
export const LOG_RETRY_MS = 100;
/** Events per commit of the embedded log; a single larger append is committed alone. */
export const LOG_COMMIT_EVENTS_MAX = 1_024;
/** Bytes per commit of the embedded log; a single larger append is committed alone. */
export const LOG_COMMIT_BYTES_MAX = 1024 * 1024;
/** Events that one statement of the embedded log removes. */
export const LOG_REMOVED_AT_ONCE_MAX = 10_000;
/** Positions that a filtered page searches. */
export const LOG_SEARCH_POSITIONS = 50_000;
/** About the bytes of the events of a page or a batch; a larger event is a page of its own. */
export const LOG_PAGE_BYTES_MAX = 4 * 1024 * 1024;
/** EventStoreDB: bytes of the appends to one journal that share a call. */
export const LOG_GROUP_BYTES_MAX = 256 * 1024;
/** EventStoreDB: concurrent calls per journal. */
export const LOG_GROUPS_AT_ONCE_MAX = 2;
/** EventStoreDB: concurrent calls of all journals together. */
export const LOG_GROUPS_IN_ALL_MAX = 16;
/** EventStoreDB: ordered appends under way. */
export const LOG_ORDERED_APPENDS_MAX = 256;
/** EventStoreDB: bytes of the ordered appends under way; a single larger append goes alone. */
export const LOG_ORDERED_BYTES_MAX = 4 * 1024 * 1024;
/** Latest events of a journal that are searched for a repeated append. */
export const LOG_REPEAT_SEARCH_EVENTS = 2_000;
/** Journal appends remembered to detect a retry, whether answered or of unknown outcome. */
export const LOG_ANSWERS_KEPT_MAX = 10_000;
/** Events that a filtered subscription searches before it reports its position. */
export const LOG_SUBSCRIPTION_WINDOW_EVENTS = 2_000;
/** Timeout for stopping the embedded Postgres. */
export const EMBEDDED_STOP_TIMEOUT_MS = 60_000;
/** Connections to the embedded server from all processes together. */
export const EMBEDDED_CONNECTIONS_MAX = 300;
/** Smallest `shared_buffers` of the embedded server. */
export const EMBEDDED_BUFFERS_MIN_MIB = 128;
/** Largest `shared_buffers` of the embedded server, however large the machine. */
export const EMBEDDED_BUFFERS_MAX_MIB = 1024;
/** Pause between attempts to restart the embedded Postgres. */
export const EMBEDDED_RETRY_MS = 2_000;
/** Timeout for starting or finding the embedded Postgres. */
export const EMBEDDED_START_TIMEOUT_MS = 60_000;
/** Folded aggregates cached in memory; a tail read confirms each before use. */
export const AGGREGATES_CACHED_MAX = 2_000;
/**
 * Estimated bytes of the cached aggregates of one kind; see `src/engine/concurrency/estimated-
 * size.ts`.
 */
export const AGGREGATES_CACHED_BYTES_MAX = 64 * 1024 * 1024;
/** Estimated bytes per command id that an aggregate keeps. */
export const AGGREGATE_COMMAND_BYTES = 400;
/** A lease holder whose heartbeat is older is replaced (design.md decision 18). */
export const LEASE_SILENT_MAX_MS = 15_000;
/** Heartbeat interval of a process's release; it expires after {@link LEASE_SILENT_MAX_MS}. */
export const RELEASE_BEAT_MS = 5_000;
/** Pause before events that only a newer release can read are tried again. */
export const NEWER_RELEASE_REST_MS = 5_000;
/** Pause before a process tries again to feed a read model that has another shape. */
export const SHAPE_LOOK_MS = 5_000;
export const PROJECTION_BATCH_EVENTS_MAX = 1_000;
/** Estimated bytes of the events of a batch and of the rows that they change. */
export const PROJECTION_BATCH_BYTES_MAX = 2 * 1024 * 1024;
/** A batch beyond these bytes is folded in turns of its own. */
export const PROJECTION_TURN_BYTES = 64 * 1024;
/** Shortest interval between copies of a process's checkpoint to the log. */
export const PROCESS_CHECKPOINT_COPY_MS = 5_000;
export const TIMER_SLEEP_MAX_MS = 60_000;
export const TIMERS_AT_ONCE_MAX = 16;

// Personal data (contract.md section 11)
/** Keys of persons cached in memory, for sealing and for opening each. */
export const PERSON_KEYS_CACHED_MAX = 20_000;
/** A cached key is looked up again after this long, so that every process follows an erasure. */
export const PERSON_KEY_TRUSTED_MS = 10_000;
/** How long a missing secrets key keeps the process from being ready. */
export const SECRETS_KEY_NOT_READY_MS = 5_000;
/** Owners whose keys are looked up or created by one statement. */
export const PERSON_KEYS_SEALED_AT_ONCE_MAX = 1_000;

// Postgres
export const DATABASE_CONNECTIONS_MAX = 10;
export const DATABASE_CONNECT_TIMEOUT_MS = 5_000;
/**
 * A connection without traffic for this long is probed, so that one whose server vanished without a
 * word ends. The system's default is two hours.
 */
export const DATABASE_KEEP_ALIVE_MS = 30_000;
/**
 * Timeout of the orderly end of a connection or of its statement; then its socket is closed. A
 * server that answers takes milliseconds.
 */
export const DATABASE_END_MAX_MS = 2_000;
export const DATABASE_STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the statement timeout, so that the server's answer comes first. */
export const DATABASE_QUERY_TIMEOUT_MS = 35_000;
/** Precision of that timeout: an idle platform is woken once a second by its statements. */
export const DATABASE_QUERY_PRECISION_MS = 1_000;
/** Releases the locks of a stopped process before another takes over. */
export const DATABASE_IDLE_IN_TRANSACTION_MAX_MS = 10_000;

// Rebuilding read models (docs/operating/rebuild-a-read-model.md)
/** Builds, rebuilds and verifications at once in a platform; each keeps its rows in memory. */
export const REBUILDS_AT_ONCE_MAX = 2;
/** Rows that a rebuild keeps in memory; beyond that it writes them in portions. */
export const REBUILD_ROWS_IN_MEMORY_MAX = 400_000;
/** Estimated bytes that a rebuild keeps in memory; beyond that it writes its rows in portions. */
export const REBUILD_BYTES_IN_MEMORY_MAX = 2 * 1024 * 1024 * 1024;
/** A new read model with at least this many events before it is built by a rebuild. */
export const REBUILD_EVENTS_MIN = 10_000;
/** Interval at which a rebuild saves its progress and checks for cancellation. */
export const REBUILD_PROGRESS_MS = 500;
/** First lock timeout of a swap, which then backs off so that readers are not held up. */
export const SWAP_LOCK_FIRST_MS = 50;
/**
 * Longest lock timeout of a swap; below Postgres's `deadlock_timeout`, which would end a reader.
 */
export const SWAP_LOCK_MAX_MS = 500;
/** Finished requests kept per consumer. */
export const REQUESTS_KEPT = 20;
/** Rows of each table, and streams, that a report names. */
export const DIFFERENCES_NAMED_MAX = 10;

// Consumers of the log: projections, processes, timers
/** Events that the shared reader buffers for lagging consumers; slower ones read on their own. */
export const READER_BUFFER_EVENTS_MAX = 10_000;
/** Estimated bytes of these events, which may be large. */
export const READER_BUFFER_BYTES_MAX = 64 * 1024 * 1024;
/** Delivered events that the shared reader keeps for consumers that join. */
export const READER_KEPT_EVENTS = 1_000;
/** A log that grows again within this time is busy. */
export const READER_BUSY_MS = 20;
/** How long the reader of a busy log waits for a fuller page. */
export const READER_FULLER_PAGE_MS = 8;
/** First pause of the unlimited retries after a failure of the log or the database. */
export const RETRY_FIRST_MS = 100;
/** Longest pause of these retries. */
export const RETRY_MAX_MS = 10_000;
/** Rows that the owner of a projection caches. */
export const PROJECTION_ROWS_CACHED_MAX = 20_000;
/** Estimated bytes of these cached rows. */
export const PROJECTION_ROWS_CACHED_BYTES_MAX = 128 * 1024 * 1024;
/** Shortest interval between saves of a checkpoint that moved without a relevant event. */
export const PROGRESS_SAVED_MS = 200;
/** Checkpoints that one statement moves. */
export const CHECKPOINTS_MOVED_AT_ONCE_MAX = 200;
/** Interval at which a process checks all checkpoints for lag, dropped tables and requests. */
export const CONSUMERS_WATCH_MS = 1_000;
/** The interval while all of them run in this process and none has had an event. */
export const CONSUMERS_QUIET_WATCH_MS = 5_000;
/** Consumers without an event for this long are quiet. */
export const CONSUMERS_QUIET_AFTER_MS = 30_000;
/** Interval at which a process compares the log with what was fed from it. */
export const LOG_CHECKED_MS = 10_000;
/** Shortest interval between records of the latest event known to be stored. */
export const LOG_WITNESS_NOTED_MS = 1_000;
/** Poll interval while a caller waits for a read model that another process feeds. */
export const WAIT_POLL_MS = 5;
/** Partitions that a process works on concurrently. */
export const PARTITIONS_AT_ONCE_MAX = 16;
/** Slow partitions worked on in addition to these. */
export const PARTITIONS_SLOW_MAX = 256;
/** A partition that takes longer than this for one event counts as slow. */
export const PARTITION_SLOW_MS = 200;
/**
 * A partition that takes longer is stored as a row, so that it no longer holds back the checkpoint.
 */
export const PARTITION_HOLDS_CHECKPOINT_MAX_MS = 5_000;
/** Unfinished events of a process, beyond which it accepts no more. */
export const PARTITION_EVENTS_QUEUED_MAX = 2_000;
/** Estimated bytes of them, beyond which it accepts no more. */
export const PARTITION_BYTES_QUEUED_MAX = 32 * 1024 * 1024;
/** The first of them, whose bytes are not estimated: a short queue costs nothing. */
export const PARTITION_EVENTS_UNCOUNTED_MAX = 64;
/** How long the queue may stay full before its longest partition is parked. */
export const PARTITION_QUEUE_FULL_MAX_MS = 1_000;
/** Weight of effects that are done but not durable, beyond which no effect is started. */
export const IN_FLIGHT_WEIGHT_MAX = 4_096;
/** How long a stopping process waits for effects in progress. */
export const PROCESS_STOP_TIMEOUT_MS = 5_000;
/** Attempts at a command that fails for an unknown reason; then its stream is parked. */
export const PROCESS_ATTEMPTS_MAX = 5;
/** Shortest interval between two queries for due timers. */
export const TIMER_LOOK_MS = 50;
/** A clock further ahead of the database's retires no journals and no personal data. */
export const CLOCK_AHEAD_MAX_MS = 5 * 60_000;
/** First pause before a timer whose command changed nothing is tried again. */
export const TIMER_STUCK_FIRST_MS = 60_000;
/** Longest pause before a timer whose command changed nothing is tried again. */
export const TIMER_STUCK_MAX_MS = 3_600_000;
/** How long a due timer waits for its table to reach the log's head. */
export const TIMER_CURRENT_WAIT_MS = 2_000;
/** Due times at which one advance of the virtual clock may stop. */
export const ADVANCE_STEPS_MAX = 10_000;
/** How long an advance waits at each stop for consumers that make no progress. */
export const ADVANCE_SETTLE_MAX_MS = 30_000;
/** Rounds of reactions to reactions that an advance waits for at each stop. */
export const ADVANCE_SETTLE_ROUNDS_MAX = 20;

// Logs
/** Shortest interval between two lines about failures of one kind. */
export const FAILURE_LINE_EVERY_MS = 1_000;
