import type { JournalFamily } from '../../domain/keys/shared-journals.ts';
import type { Appended, EventStore, Guard, NewEvent } from '../../engine/log/event-store.ts';
import { serialised } from '../../engine/log/serialised.ts';
import type { WrittenVersions } from '../../engine/log/written-versions.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { SharedJournals } from './shared-journals/shared-journals.ts';

/**
 * Where uses of keys are recorded, each under the revision of the keyring that it was judged by.
 * No allowed use is stored after the answer to a revocation. docs/decisions/0055.
 */
export interface KeyUseLog extends KeyringAnnouncements {
  /**
   * Durable when the promise resolves. The same event is stored once if it is given again; given
   * again by another process it may be stored twice, so readers drop a repeated id.
   *
   * @throws `GuardMoved` if the keyring has moved, and nothing was stored; `LogUnavailable`.
   */
  record(use: JudgedUse): Promise<Appended>;
}

/** What changes of keyrings tell the processes that judge by them. */
export interface KeyringAnnouncements {
  /**
   * Resolves when no use can be stored any more that was judged by the keyring before `revision`.
   * A change of the keyring is answered after it, and so is a change that another process may have
   * recorded without announcing it. Idempotent.
   *
   * @throws `LogUnavailable`.
   */
  announce(keyring: string, revision: number): Promise<void>;
  /** Before a journal is deleted: no change is announced in it any more. Idempotent. */
  retire(journal: string): Promise<void>;
  /** Finishes what is under way. To be called before the log is closed. */
  close(): Promise<void>;
}

export interface JudgedUse {
  /** Of the organisation. */
  readonly journal: string;
  /** The journals that may share one with it. */
  readonly family: JournalFamily;
  readonly event: NewEvent;
  /** The keyring as it was judged by. */
  readonly guard: Guard;
}

export interface KeyUseLogParts {
  readonly log: Pick<EventStore, 'append' | 'channel'>;
  readonly clock: Clock;
  /** A channel stores events as they are. */
  readonly versions: Pick<WrittenVersions, 'asWritten'>;
}

/** The one that costs least on the log: with shared journals where it has a channel. */
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

/** Each organisation's journal apart; the log checks the guard as it stores the use. */
const guardedKeyUses = (log: Pick<EventStore, 'append'>): KeyUseLog => ({
  record: ({ journal, event, guard }) => log.append(journal, 'any', [event], { guard }),
  announce: async () => {},
  retire: async () => {},
  close: async () => {},
});
