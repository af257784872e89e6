/**
 * Guarded appends in shared journals: one or two journals for all appends of this process, so that
 * an append for many organisations is one call, and the journal's own revision proves that no guard
 * has changed. The writer of a guard's stream announces the change in every open journal before it
 * answers, so that the next append there is refused and decided again. docs/decisions/0055.
 */
import { isShared } from '../../../domain/keys/shared-journals.ts';
import {
  LOG_CALL_TIMEOUT_MS,
  LOG_COMMIT_EVENTS_MAX,
  LOG_GROUP_BYTES_MAX,
} from '../../../engine/limits.ts';
import { SHARED_JOURNALS_OF_PROCESS } from '../limits.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { Appended, Channel } from '../../../engine/log/event-store.ts';
import {
  Answers,
  JournalWriter,
  lastIdOf,
  type SharedRequest,
  type Waiting,
} from './journal-writer.ts';
import { OpenJournals } from './open-journals.ts';

export class SharedJournals {
  readonly #channel: Channel;
  readonly #journals: OpenJournals;
  readonly #answers = new Answers();
  readonly #waiting: Waiting[] = [];
  /** By the last event's id, so that concurrent repeats of an append are sent once. */
  readonly #underWay = new Map<string, Promise<Appended>>();
  readonly #writers: readonly JournalWriter[];
  readonly #sending = new Map<JournalWriter, Promise<void>>();
  #pumping = false;

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#journals = new OpenJournals(channel, clock);
    const parts = { channel, clock, journals: this.#journals, answers: this.#answers };
    this.#writers = Array.from(
      { length: SHARED_JOURNALS_OF_PROCESS },
      () => new JournalWriter(parts),
    );
  }

  /** As `KeyUseLog.record`. */
  async append(request: SharedRequest): Promise<Appended> {
    const id = lastIdOf(request);
    const same = this.#underWay.get(id) ?? this.#answers.of(id);
    if (same) return { ...(await same), repeated: true };
    const work = this.#channel.ready().then(() => this.#queued(request));
    this.#underWay.set(id, work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(id);
    }
  }

  /** As `KeyUseLog.announce`. */
  announce(stream: string, revision: number): Promise<void> {
    return this.#journals.announce(stream, revision);
  }

  /** Closes a journal that is about to be deleted, which ends announcements in it. */
  async retire(journal: string): Promise<void> {
    if (!isShared(journal)) return;
    await this.#channel.ready();
    await this.#channel.ask(`closing ${journal}`, LOG_CALL_TIMEOUT_MS, async (calls) => {
      const open = await this.#journals.look(calls);
      if (open.includes(journal)) await this.#journals.close(calls, journal);
    });
  }

  /** Finishes appends in progress and closes this process's journals, within a timeout. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
    await Promise.all(this.#sending.values());
    await Promise.all(this.#writers.map((writer) => writer.close()));
  }

  #queued(request: SharedRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        request,
        bytes: request.events.reduce((sum, { data, meta }) => sum + data.length + meta.length, 0),
        givenUpAt: performance.now() + LOG_CALL_TIMEOUT_MS,
        settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      });
      this.#pumpSoon();
    });
  }

  /** Uses of the same turn of the event loop share a group. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  /** One group at a time, because the next one expects the revision that this one results in. */
  #pump(): void {
    for (const writer of this.#writers) {
      if (this.#sending.has(writer)) continue;
      const group = nextOf(this.#waiting);
      if (group.length === 0) return;
      const sent = writer.send(group).finally(() => {
        this.#sending.delete(writer);
        this.#pumpSoon();
      });
      this.#sending.set(writer, sent);
    }
  }
}

/** The next group: of one family, in FIFO order, within the size of one call. */
const nextOf = (waiting: Waiting[]): Waiting[] => {
  const { category, period } = waiting[0]?.request.family ?? {};
  let [events, bytes, count] = [0, 0, 0];
  const ids = new Set<string>();
  for (const { request, bytes: size } of waiting) {
    if (request.family.category !== category || request.family.period !== period) break;
    events += request.events.length;
    bytes += size;
    if (count > 0 && (events > LOG_COMMIT_EVENTS_MAX || bytes > LOG_GROUP_BYTES_MAX)) break;
    // The server does not detect repeats within a call.
    if (request.events.some(({ id }) => ids.has(id))) break;
    for (const { id } of request.events) ids.add(id);
    count += 1;
  }
  return waiting.splice(0, count);
};
