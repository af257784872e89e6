import { untraced, type Tracing } from '../observe/tracing.ts';
import type { EventType } from '../log/codec.ts';
import type { EventStore } from '../log/event-store.ts';
import { tracedLog } from '../log/traced-log.ts';
import { watchedAppends, type WatchedAppends } from '../log/watched-appends.ts';
import { writtenIn, writtenVersions, type WrittenVersions } from '../log/written-versions.ts';
import { personKeysIn, type PersonKeys } from '../personal/person-keys.ts';
import { sealedLog } from '../personal/sealed-log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { systemClock } from '../time/clock.ts';
import { restoreGuard, type RestoreGuard, type RestoreGuardParts } from './restore-guard.ts';

/**
 * A log as every component gets it: refused while it is another installation's or older than the
 * database, written in the released versions, traced. design.md decision 22.
 */
export interface PlatformLog {
  readonly log: EventStore;
  /** Whether appends succeed. */
  readonly appends: Pick<WatchedAppends, 'ready'>;
  readonly watch: RestoreGuard;
  readonly versions: WrittenVersions;
  /** Keys that its personal data is sealed under; `null`: it is stored in the clear. */
  readonly personKeys: PersonKeys | null;
}

export interface PlatformLogParts extends RestoreGuardParts {
  /** Types of this release. Default: none is written in an older version. */
  readonly eventTypes?: ReadonlyMap<string, EventType>;
  /** Default: as operators have set them in this log. */
  readonly versions?: WrittenVersions | undefined;
  /** Whose personal data is sealed, and what wraps the keys. Default: it is stored in the clear. */
  readonly personal?: {
    readonly secrets: Secrets;
    readonly types: ReadonlyMap<string, EventType>;
  };
  /** Default: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** See {@link tracedLog}. */
  readonly untracedCategories?: readonly string[];
}

export const platformLog = ({
  eventTypes = new Map(),
  versions: given,
  personal,
  tracing = untraced,
  untracedCategories,
  ...parts
}: PlatformLogParts): PlatformLog => {
  const personKeys = personal
    ? personKeysIn({ pool: parts.pool, secrets: personal.secrets, clock: systemClock })
    : null;
  const stored = personKeys ? sealedLog(parts.log, personKeys, personal!.types) : parts.log;
  const appends = watchedAppends(stored);
  const watch = restoreGuard({ ...parts, log: appends.log });
  const versions = given ?? writtenVersions(watch.log, eventTypes);
  const log = tracedLog(writtenIn(watch.log, versions), tracing, untracedCategories);
  return { log, appends, watch, versions, personKeys };
};
