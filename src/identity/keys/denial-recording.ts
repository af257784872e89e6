/**
 * Records the counts of denials in the log when their minute is over. Before a process answers the
 * first counted denial of a minute, it records that it is counting, so that another process can
 * record the gap if the count is lost in a crash.
 */
import { randomUUID } from 'node:crypto';
import { v5 as uuidFrom } from 'uuid';
import { startOfMonth } from '../../engine/time/calendar.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import { countingJournal, denialJournal, useJournal } from '../../domain/keys/journals.ts';
import type { KeyUseEvent } from '../../domain/keys/uses.ts';
import { AUDIT_RETENTION_MONTHS } from '../../domain/keys/limits.ts';
import { DENIAL_WINDOW_LOST_MS, DENIAL_WINDOW_MS } from './limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { keyUseCodec } from '../../domain/keys/codecs.ts';
import type { EventStore, NewEvent } from '../../engine/log/event-store.ts';
import { pagesOf } from '../../engine/log/history.ts';
import { DenialCounts, minuteOf, type Denial, type DenialCount } from './denial-counts.ts';

/** The actor of records that belong to no key. */
export const KEY_CHECK: Actor = { kind: 'system', id: 'key-check' };

export interface DenialRecordingParts {
  readonly log: EventStore;
  readonly clock: Clock;
}

/** A counting journal, up to the last event read. */
interface JournalRead {
  next: number;
  /** By the id of the event that began it, the minute of each unfinished count. */
  readonly open: Map<string, Instant>;
}

export class DenialRecording {
  readonly #log: EventStore;
  readonly #clock: Clock;
  readonly #counts = new DenialCounts();
  /** By minute, the id of the event that began its count, once that event is durable. */
  readonly #begun = new Map<Instant, Promise<string>>();
  /** By journal, so that only new events are read. */
  readonly #read = new Map<string, JournalRead>();
  /** All months that may have a gap have been read; later reads are of the current ones only. */
  #allMonthsRead = false;

  constructor({ log, clock }: DenialRecordingParts) {
    this.#log = log;
    this.#clock = clock;
  }

  /** See {@link DenialCounts.takeSingle}. */
  takeSingle(sourceIp: string, at: Instant): boolean {
    return this.#counts.takeSingle(sourceIp, at);
  }

  giveBackSingle(sourceIp: string, at: Instant): void {
    this.#counts.giveBackSingle(sourceIp, at);
  }

  /**
   * Counts the denial, once the begin of this minute's count is durable.
   *
   * @throws `LogUnavailable`. Nothing was counted.
   */
  async count(denial: Denial): Promise<void> {
    for (;;) {
      const minute = minuteOf(this.#clock.now());
      await this.#begin(minute);
      const at = this.#clock.now();
      // Meanwhile the minute may be over, and its counts recorded.
      if (minuteOf(at) !== minute) continue;
      this.#counts.count(denial, at);
      return;
    }
  }

  /**
   * Records the counts of finished minutes; with `all`, at the end of the process, of all minutes.
   * Counts that could not be recorded are kept, and recorded by the next call with the same ids.
   *
   * @throws `LogUnavailable`.
   */
  async record({ all = false }: { readonly all?: boolean } = {}): Promise<void> {
    const now = this.#clock.now();
    // A begun minute may have no count, because it was over before the denial was counted.
    const minutes = new Set([...this.#counts.minutes(), ...this.#begun.keys()]);
    for (const minute of minutes) {
      if (!all && minute >= minuteOf(now)) continue;
      const began = await this.#begun.get(minute);
      if (began !== undefined) await this.#recordMinute(minute, began);
      this.#counts.forget(minute);
      this.#begun.delete(minute);
    }
  }

  /**
   * Records the gap of every minute that a process began to count and has not recorded in time.
   * Counts of this process must be recorded first, see {@link record}.
   *
   * Idempotent, also in several processes: the gap's id is derived from its cause.
   *
   * @returns The number of recorded gaps.
   * @throws `LogUnavailable`.
   */
  async recordLost(): Promise<number> {
    let gaps = 0;
    const now = this.#clock.now();
    const growing = countingJournals(now, 1);
    const journals = this.#allMonthsRead
      ? growing
      : countingJournals(now, AUDIT_RETENTION_MONTHS - 1);
    for (const journal of journals) {
      for (const [began, minute] of await this.#openIn(journal)) {
        const endMs = Date.parse(minute) + DENIAL_WINDOW_MS;
        if (Date.parse(now) < endMs + DENIAL_WINDOW_LOST_MS) continue;
        const lost = { type: 'DenialCountsLost', minute, began } as const;
        await this.#append(journal, [this.#event(uuidFrom('lost', began), lost, now)]);
        gaps += 1;
      }
    }
    this.#allMonthsRead = true;
    for (const journal of this.#read.keys()) {
      if (!growing.includes(journal)) this.#read.delete(journal);
    }
    return gaps;
  }

  async #openIn(journal: string): Promise<ReadonlyMap<string, Instant>> {
    const read = this.#read.get(journal) ?? { next: 0, open: new Map<string, Instant>() };
    this.#read.set(journal, read);
    const { open } = read;
    for await (const page of pagesOf(this.#log, journal, read.next)) {
      for (const stored of page) {
        const { id, event } = keyUseCodec.decode(stored);
        if (event.type === 'DenialCountingBegan') open.set(id, event.minute);
        else if ('began' in event) open.delete(event.began);
        read.next = stored.revision + 1;
      }
    }
    return open;
  }

  #begin(minute: Instant): Promise<string> {
    const before = this.#begun.get(minute);
    if (before) return before;
    const id = randomUUID();
    const began = this.#event(id, { type: 'DenialCountingBegan', minute }, this.#clock.now());
    const begun = this.#append(countingJournal(minute), [began]).then(() => id);
    this.#begun.set(minute, begun);
    // The next denial retries with another event: an event without an end is only a gap.
    begun.catch(() => this.#begun.delete(minute));
    return begun;
  }

  async #recordMinute(minute: Instant, began: string): Promise<void> {
    const byJournal = new Map<string, NewEvent[]>();
    for (const [index, count] of this.#counts.of(minute).entries()) {
      const { organisation, lastAt } = count;
      const journal =
        organisation === null ? denialJournal(lastAt) : useJournal(organisation, lastAt);
      const event = this.#counted(uuidFrom(`${index}`, began), count);
      byJournal.set(journal, [...(byJournal.get(journal) ?? []), event]);
    }
    for (const [journal, events] of byJournal) await this.#append(journal, events);
    const ended = { type: 'DenialCountingEnded', minute, began } as const;
    await this.#append(countingJournal(minute), [
      this.#event(uuidFrom('ended', began), ended, this.#clock.now()),
    ]);
  }

  #counted(id: string, { organisation, ...count }: DenialCount): NewEvent {
    const event = { type: 'KeyDenialsCounted', ...count } as const;
    return this.#event(id, event, count.lastAt, organisation);
  }

  #event(id: string, event: KeyUseEvent, at: Instant, organisation: string | null = null) {
    return keyUseCodec.encode(id, event, {
      commandId: id,
      at,
      by: KEY_CHECK,
      origin: 'system',
      ...(organisation === null ? {} : { organisation }),
    });
  }

  async #append(journal: string, events: readonly NewEvent[]): Promise<void> {
    await this.#log.append(journal, 'any', events);
  }
}

/** For the month of `at` and this many months before it, oldest first. */
const countingJournals = (at: Instant, monthsBack: number): readonly string[] =>
  Array.from({ length: monthsBack + 1 }, (_, index) =>
    countingJournal(startOfMonth(at, index - monthsBack)),
  );
