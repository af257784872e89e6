import { HOUR_MS } from '../time/calendar.ts';

/** The longest single advance. */
export const CLOCK_ADVANCE_MAX_MS = 366 * 24 * HOUR_MS;
/** The largest offset from real time: instants keep four digits of a year and sort as text. */
export const CLOCK_OFFSET_MAX_MS = 100 * CLOCK_ADVANCE_MAX_MS;
/** Real time in which the advances of a clock may be bounded. */
export const CLOCK_WINDOW_MS = HOUR_MS;
/** A longer advance is answered 202 and continues. */
export const CLOCK_ANSWER_MAX_MS = 30_000;
/** Attempts of an advance while the log is unreachable or a timer table lags. */
export const CLOCK_ATTEMPTS_MAX = 5;
