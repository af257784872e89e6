/**
 * Denials that need no secret: a few are recorded individually, the others are counted per minute,
 * so that a flood does not fill the log. In memory, without a clock. contract.md section 3.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { CountedReason } from '../../domain/keys/uses.ts';
import { DENIAL_SOURCES_MAX, DENIAL_WINDOW_MS, DENIALS_SINGLE_MAX } from './limits.ts';

export interface Denial {
  readonly sourceIp: string;
  readonly reason: CountedReason;
  /** The key's organisation; `null` for an unknown key. */
  readonly organisation: string | null;
}

/** The denials of one minute that were not recorded individually. */
export interface DenialCount {
  readonly reason: CountedReason;
  readonly organisation: string | null;
  /** `null`: all sources without a separate count. */
  readonly sourceIp: string | null;
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

interface Source {
  singles: number;
  readonly counts: Map<string, DenialCount>;
}

/** One window per minute, in which the first sources are counted separately, others together. */
export class DenialCounts {
  readonly #minutes = new Map<Instant, Map<string | null, Source>>();

  /** Reserves an individual record; false if the denial must be counted. */
  takeSingle(sourceIp: string, at: Instant): boolean {
    const source = this.#sourceOf(sourceIp, at).source;
    if (source.singles >= DENIALS_SINGLE_MAX) return false;
    source.singles += 1;
    return true;
  }

  /** Releases a reservation that was not used. */
  giveBackSingle(sourceIp: string, at: Instant): void {
    const sources = this.#minutes.get(minuteOf(at));
    const source = sources?.get(sourceIp) ?? sources?.get(null);
    // The minute may have been recorded and removed meanwhile.
    if (source) source.singles -= 1;
  }

  count({ sourceIp, reason, organisation }: Denial, at: Instant): void {
    const { source, named } = this.#sourceOf(sourceIp, at);
    const key = JSON.stringify([reason, organisation]);
    const before = source.counts.get(key);
    source.counts.set(key, {
      reason,
      organisation,
      sourceIp: named,
      count: (before?.count ?? 0) + 1,
      firstAt: before?.firstAt ?? at,
      lastAt: at,
    });
  }

  /** The minutes with denials. */
  minutes(): readonly Instant[] {
    return [...this.#minutes.keys()];
  }

  of(minute: Instant): readonly DenialCount[] {
    const sources = this.#minutes.get(minute)?.values() ?? [];
    return [...sources].flatMap(({ counts }) => [...counts.values()]);
  }

  forget(minute: Instant): void {
    this.#minutes.delete(minute);
  }

  #sourceOf(sourceIp: string, at: Instant): { source: Source; named: string | null } {
    const minute = minuteOf(at);
    const sources = this.#minutes.get(minute) ?? new Map<string | null, Source>();
    this.#minutes.set(minute, sources);
    const own = sources.has(sourceIp) || sizeOf(sources) < DENIAL_SOURCES_MAX;
    const named = own ? sourceIp : null;
    const source = sources.get(named) ?? { singles: 0, counts: new Map<string, DenialCount>() };
    sources.set(named, source);
    return { source, named };
  }
}

/** The start of the window that contains `at`. */
export const minuteOf = (at: Instant): Instant => {
  const ms = Date.parse(at);
  return new Date(ms - (ms % DENIAL_WINDOW_MS)).toISOString();
};

/** Number of separate sources, without the entry that all others share. */
const sizeOf = (sources: ReadonlyMap<string | null, Source>): number =>
  sources.size - (sources.has(null) ? 1 : 0);
