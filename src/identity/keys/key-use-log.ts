import type { JournalFamily } from '../../domain/keys/shared-journals.ts';
import type { Appended, EventStore, Guard, NewEvent } from '../../engine/log/event-store.ts';
import { serialised } from '../../engine/log/serialised.ts';
import type { WrittenVersions } from '../../engine/log/written-versions.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { SharedJournals } from './shared-journals/shared-journals.ts';

/**
 * Records uses of keys, each guarded by the revision of the keyring that it was checked against.
 * No allowed use is stored after a revocation has been answered. docs/decisions/0055.
 */
export interface KeyUseLog extends KeyringAnnouncements {
  /**
   * Durable when the promise resolves. Idempotent by event id within a process; a repeat by another
   * process may be stored twice, so readers must drop repeated ids.
   *
   * @throws `GuardMoved` if the keyring has changed, and nothing was stored; `LogUnavailable`.
   */
  record(use: JudgedUse): Promise<Appended>;
}

/** Notifies the processes that check keys of changed keyrings. */
export interface KeyringAnnouncements {
  /**
   * Resolves when no use can be stored any more that was checked against the keyring before
   * `revision`. A change of the keyring must be answered only then, even one that another process
   * may have recorded without announcing it. Idempotent.
   *
   * @throws `LogUnavailable`.
   */
  announce(keyring: string, revision: number): Promise<void>;
  /** Ends announcements in a journal that is about to be deleted. Idempotent. */
  retire(journal: string): Promise<void>;
  /** Finishes appends in progress. Must be called before the log is closed. */
  close(): Promise<void>;
}

export interface JudgedUse {
  /** The organisation's journal. */
  readonly journal: string;
  /** The journals that may be merged into one shared journal. */
  readonly family: JournalFamily;
  readonly event: NewEvent;
  /** The keyring's revision that the use was checked against. */
  readonly guard: Guard;
}

export interface KeyUseLogParts {
  readonly log: Pick<EventStore, 'append' | 'channel'>;
  readonly clock: Clock;
  /** Converts events to the written versions, because a channel stores them unchanged. */
  readonly versions: Pick<WrittenVersions, 'asWritten'>;
}

/** The cheapest implementation for the log: shared journals, if it has a channel. */
export const keyUseLog = ({ log, clock, versions }: KeyUseLogParts): KeyUseLog => {
  const guarded = guardedKeyUses(log);
  if (!log.channel) return guarded;
  const shared = new SharedJournals(log.channel, clock);
  return {
    async record(use) {
      const { journal, family, event, guard } = use;
      const [stored] = await versions.asWritten([event]);
      // An older release neither announces its changes nor finds uses in shared journals.
      if (stored !== event) return guarded.record(use);
      const events = serialised(journal, [event]);
      return shared.append({ stream: journal, expected: 'any', events, guard, family });
    },
    ...announcementsIn(shared),
  };
};

/** For processes that change keyrings and record no uses. */
export const keyringAnnouncements = ({
  log,
  clock,
}: Omit<KeyUseLogParts, 'versions'>): KeyringAnnouncements =>
  log.channel ? announcementsIn(new SharedJournals(log.channel, clock)) : guardedKeyUses(log);

const announcementsIn = (shared: SharedJournals): KeyringAnnouncements => ({
  announce: (keyring, revision) => shared.announce(keyring, revision),
  retire: (journal) => shared.retire(journal),
  close: () => shared.close(),
});

/** One journal per organisation; the log checks the guard as it stores the use. */
const guardedKeyUses = (log: Pick<EventStore, 'append'>): KeyUseLog => ({
  record: ({ journal, event, guard }) => log.append(journal, 'any', [event], { guard }),
  announce: async () => {},
  retire: async () => {},
  close: async () => {},
});
