/** Requests of erasures, and their records in the log. contract.md section 11. */
import { foldText } from '../../domain/fold-text.ts';
import { phraseFinder } from '../../domain/service-desk/phrases.ts';
import { createHmac } from 'node:crypto';
import { reusedKey } from '../../building/graph/command-keys.ts';
import { erasureCodec } from '../../domain/erasures/codecs.ts';
import {
  erasureAfter,
  erasureDecider,
  type ErasureCommand,
  type ErasureView,
} from '../../domain/erasures/erasure.ts';
import type { TextChoice } from '../../domain/erasures/events.ts';
import { ERASURE_KEYS_MAX } from '../../domain/erasures/limits.ts';
import type { Directory } from '../../domain/people/directory.ts';
import {
  aggregate,
  Refused,
  type Aggregate,
  type Answer,
} from '../../engine/aggregates/aggregate.ts';
import { refuse, type Instant } from '../../engine/aggregates/decider.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import type { CommandName, UseCase } from '../use-case.ts';
import { personNamed, type Subject } from './person.ts';

export const ERASURE_CATEGORY = 'erasure';

export type Erasures = Aggregate<ErasureCommand, ErasureView>;

export const erasuresIn = (log: EventStore): Erasures =>
  aggregate({
    log,
    category: ERASURE_CATEGORY,
    codec: erasureCodec,
    decider: erasureDecider,
    viewAfter: erasureAfter,
  });

/** The rows beside the log that name an account. */
export interface Accounts {
  /** The number of rows that name these users, and of the sessions among them. */
  of(
    organisation: string,
    userIds: readonly string[],
  ): Promise<{ readonly rows: number; readonly sessions: number }>;
  /** Ends their sessions and removes their sign-ins and presence. Idempotent. */
  erase(organisation: string, userIds: readonly string[]): Promise<void>;
}

export interface RequestErasureParts {
  readonly erasures: Erasures;
  readonly keys: Pick<PersonKeys, 'keysOf' | 'ensured'>;
  readonly accounts: Accounts;
  readonly secrets: Pick<Secrets, 'derived'>;
  /** Claims the id of a command. @returns The body hash of an earlier claim; `null`: none. */
  readonly claim: (command: ClaimedCommand) => Promise<string | null>;
  /** Whether personal data in events appended from now on is sealed, and so can be erased. */
  readonly isWrittenSealed: () => Promise<boolean>;
  readonly directoryOf: (organisation: string) => Promise<Directory | undefined>;
}

export interface ClaimedCommand {
  readonly organisation: string;
  readonly commandId: string;
  readonly bodyHash: string;
  readonly at: Instant;
}

export interface ErasureRequest {
  readonly organisation: string;
  readonly subject: Subject;
  readonly texts: TextChoice;
  readonly reason: string;
}

/**
 * Records the request; a process carries it out. The same person again is the same erasure.
 *
 * @throws {@link Refused} `VALIDATION_FAILED` for a reason that names the person, and for a person
 *   with more keys than {@link ERASURE_KEYS_MAX}; `IDEMPOTENCY_KEY_REUSED`;
 *   `PERSONAL_DATA_NOT_SEALED`. `LogUnavailable`.
 */
export const requestErasure =
  (parts: RequestErasureParts): UseCase<ErasureRequest, Answer<ErasureView>> =>
  async ({ organisation, subject, texts, reason }, occasion, name) => {
    const { erasures, keys, accounts, directoryOf } = parts;
    if (!(await parts.isWrittenSealed())) throw new Refused(notSealed);
    const person = personNamed(subject, await directoryOf(organisation));
    const namedIn = phraseFinder(person.names.map(foldText));
    if (namedIn(foldText(reason)).size > 0) throw new Refused(namesPerson);
    const erasureId = await erasureIdOf(parts, organisation, person.subjects[0]!);
    const named = await namedOnce(parts, organisation, name, occasion.at);
    const command = async (): Promise<ErasureCommand> => {
      const before = await erasures.look(erasureId);
      const accountRows = await accounts.of(organisation, person.userIds);
      const existing = await keys.keysOf(organisation, person.subjects);
      if (before === null || existing.length > 0 || accountRows.rows > 0) {
        // The process finds the person by a key, because the log must not name them. Ensured here,
        // as another process may have destroyed a cached key.
        const owners = person.subjects.map((owner) => ({
          organisation,
          subject: owner,
          purpose: 'identity' as const,
        }));
        await keys.ensured(owners);
      }
      const personKeys = await keys.keysOf(organisation, person.subjects);
      if (personKeys.length > ERASURE_KEYS_MAX) throw new Refused(tooManyKeys);
      const of = (purpose: 'identity' | 'texts') =>
        personKeys.filter((key) => key.purpose === purpose).map(({ keyId }) => keyId);
      return {
        type: 'RequestErasure',
        erasureId,
        organisation,
        identityKeys: of('identity'),
        textKeys: of('texts'),
        texts,
        reason,
        sessions: accountRows.sessions,
      };
    };
    return erasures.give(erasureId, { ...named, organisation, command }, occasion);
  };

/**
 * Detects a command id that is reused for another person, whose erasure is another stream. The hash
 * of the body is keyed by the installation, because the body names the person.
 *
 * @throws {@link Refused} `IDEMPOTENCY_KEY_REUSED`.
 */
const namedOnce = async (
  { secrets, claim }: Pick<RequestErasureParts, 'secrets' | 'claim'>,
  organisation: string,
  { bodyHash, ...name }: CommandName,
  at: Instant,
): Promise<CommandName> => {
  if (bodyHash === undefined) return name;
  const hashes = secrets
    .derived('erasure-bodies')
    .map((key) => createHmac('sha256', key).update(bodyHash).digest('base64url'));
  const own = hashes[0]!;
  const { commandId } = name;
  const first = (await claim({ organisation, commandId, bodyHash: own, at })) ?? own;
  // A claim from before a change of the secrets key has the hash under an older key.
  if (!hashes.includes(first)) throw new Refused(reusedKey);
  return { ...name, bodyHash: first };
};

/** The erasures that were requested under one of the subjects of a person. */
export const erasuresOf =
  (parts: Pick<RequestErasureParts, 'secrets' | 'erasures'>) =>
  async (organisation: string, subjects: readonly string[]): Promise<readonly ErasureView[]> => {
    const views: ErasureView[] = [];
    for (const subject of subjects) {
      const erasureId = await erasureIdOf(parts, organisation, subject);
      const erasure = await parts.erasures.look(erasureId);
      if (erasure !== null) views.push(erasure.view);
    }
    return views;
  };

/**
 * Ids of the erasure of a subject, one per key of the installation, so that an id does not identify
 * the person. A new erasure has the first.
 */
export const erasureIdsOf = (
  secrets: Pick<Secrets, 'derived'>,
  organisation: string,
  subject: string,
): readonly string[] =>
  secrets.derived('erasures').map((key) => {
    const digest = createHmac('sha256', key).update(JSON.stringify([organisation, subject]));
    return asUuid(digest.digest('hex'));
  });

/** An erasure from before a change of the secrets key is found under the older one. */
const erasureIdOf = async (
  { secrets, erasures }: Pick<RequestErasureParts, 'secrets' | 'erasures'>,
  organisation: string,
  subject: string,
): Promise<string> => {
  const ids = erasureIdsOf(secrets, organisation, subject);
  for (const id of ids.slice(1)) if ((await erasures.look(id)) !== null) return id;
  return ids[0]!;
};

/** Version 8: custom. */
const asUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
    .concat(hex.slice(20, 32))
    .join('-');

const namesPerson = refuse('VALIDATION_FAILED', 'The reason must not name the person.', {
  errors: [{ path: 'reason', message: 'must not name the person, because it is stored' }],
});

const notSealed = refuse(
  'PERSONAL_DATA_NOT_SEALED',
  'An older release may still be running, so personal data is written unsealed, and an ' +
    'erasure would not cover it. Run `atrium releases raise` once no older release is ' +
    'running, and repeat the request.',
);

const tooManyKeys = refuse(
  'VALIDATION_FAILED',
  `A person with more than ${ERASURE_KEYS_MAX} keys cannot be erased at once.`,
  { errors: [{ path: 'subject', message: `has more than ${ERASURE_KEYS_MAX} keys` }] },
);
