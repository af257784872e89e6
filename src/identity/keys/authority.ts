import type { Instant } from '../../engine/aggregates/decider.ts';
import { denialJournal, useFamily, useJournal } from '../../domain/keys/journals.ts';
import { countedReasons, type CountedReason } from '../../domain/keys/uses.ts';
import { judge, type DenialReason, type Verdict } from '../../domain/keys/verdict.ts';
import {
  DENIAL_LOOK_MS,
  DENIAL_STOP_MS,
  KEY_CHECKS_MAX,
  SOURCE_CHARACTERS_MAX,
  USER_AGENT_CHARACTERS_MAX,
} from './limits.ts';
import { repeat } from '../../engine/concurrency/repeat.ts';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { unmeasuredKeys, type KeyCheckMetrics } from './metrics.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { timeOrderedId } from '../../engine/time/time-ordered-id.ts';
import { keyUseCodec } from '../../domain/keys/codecs.ts';
import {
  GuardMoved,
  LogUnavailable,
  type EventStore,
  type Guard,
} from '../../engine/log/event-store.ts';
import { LogRefused } from '../../engine/log/log-refused.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { KeyAnswer, KeyAuthority, KeyProblem, KeyUse } from './key-authority.ts';
import type { KeyUseLog } from './key-use-log.ts';
import { scopeTable, type ScopeTable } from './scopes.ts';
import { keyringOfKey, readToken } from './token.ts';
import { DenialRecording, KEY_CHECK } from './denial-recording.ts';
import { KeyringCache, type ReadKeyring } from './keyring-cache.ts';
import { asStorable } from '../../engine/storable.ts';

export interface KeyAuthorityParts {
  readonly log: EventStore;
  readonly uses: KeyUseLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The permissions of each scope. Default: those on the platform itself. */
  readonly scopes?: ScopeTable;
  /** Default: failed records are not counted. */
  readonly measured?: KeyCheckMetrics;
}

export interface RunningKeyAuthority extends KeyAuthority {
  /** Starts recording the counts of each finished minute, and the gaps of other processes. */
  start(): void;
  /**
   * Records the counts so far, within {@link DENIAL_STOP_MS}. Counts that cannot be recorded become
   * a gap, which another process records. Idempotent.
   */
  stop(): Promise<void>;
}

export const keyAuthority = (parts: KeyAuthorityParts): RunningKeyAuthority => {
  const { log, uses, clock, logger, scopes = scopeTable, measured = unmeasuredKeys } = parts;
  const cache = new KeyringCache(log);
  const denials = new DenialRecording({ log, clock });
  const ending = new AbortController();
  let passes: Promise<void> | undefined;

  /** Durable once it resolves. Fails if the keyring has changed since the verdict. */
  const record = async (judged: Judged, use: KeyUse, at: Instant): Promise<void> => {
    const { verdict, keyId, organisation, guard } = judged;
    const key = 'key' in verdict ? verdict.key : null;
    const commandId = timeOrderedId();
    const used = keyUseCodec.encode(
      commandId,
      {
        type: 'KeyUsed',
        outcome: verdict.outcome,
        reason: verdict.outcome === 'denied' ? verdict.reason : null,
        keyId: key && keyId,
        label: key?.label ?? null,
        scope: key?.scope ?? null,
        expiresAt: key?.expiresAt ?? null,
        route: use.route,
        sourceIp: sourceOf(use),
        userAgent: userAgentOf(use),
        keyringRevision: guard?.revision ?? null,
      },
      {
        commandId,
        at,
        // Only the right secret proves that the caller has the key.
        by:
          key && !countedReasonOf(verdict)
            ? { kind: 'key', id: keyId, name: key.label }
            : KEY_CHECK,
        origin: 'api',
        ...(organisation === null ? {} : { organisation }),
      },
    );
    if (organisation !== null && guard) {
      const journal = useJournal(organisation, at);
      await uses.record({ journal, family: useFamily(at), event: used, guard });
    } else await log.append(denialJournal(at), 'any', [used], guard ? { guard } : {});
  };

  /**
   * Records or counts a denial that needs no secret.
   *
   * @returns False if the keyring has changed, and nothing was recorded.
   */
  const recordCountable = async (
    judged: Judged,
    reason: CountedReason,
    use: KeyUse,
    at: Instant,
  ): Promise<boolean> => {
    const sourceIp = sourceOf(use);
    if (denials.takeSingle(sourceIp, at)) {
      try {
        await record(judged, use, at);
        return true;
      } catch (error) {
        denials.giveBackSingle(sourceIp, at);
        throw error;
      }
    }
    const { guard, confirmed, organisation } = judged;
    if (guard && !confirmed) {
      const { revision } = await cache.read(guard.stream);
      if (revision !== guard.revision) return false;
    }
    await denials.count({ sourceIp, reason, organisation });
    return true;
  };

  const done = async (judged: Judged, use: KeyUse, at: Instant): Promise<boolean> => {
    if (use.isPreliminary && judged.verdict.outcome === 'allowed') return true;
    const reason = countedReasonOf(judged.verdict);
    if (reason) return recordCountable(judged, reason, use, at);
    await record(judged, use, at);
    return true;
  };

  const failed = (error: unknown) => {
    // The comparison of the log has already reported it.
    if (error instanceof LogRefused) return;
    logger.warn({ err: error }, 'counts of denials could not be recorded');
  };

  const look = async (): Promise<number> => {
    await denials.record();
    measured.countsLost(await denials.recordLost());
    return DENIAL_LOOK_MS;
  };

  return {
    async check(token, use) {
      const read = readToken(token);
      if (!read) {
        const verdict = { outcome: 'denied', reason: 'unknown' } as const;
        const malformed = { verdict, keyId: '', organisation: null, guard: null, confirmed: true };
        await recordCountable(malformed, 'unknown', use, clock.now());
        return deniedAs.unknown;
      }
      const { keyId, hasHash } = read;
      const stream = streamOf('keyring', keyringOfKey(keyId));
      const table = use.scopes ?? scopes;
      const { needs } = use;
      const opens = (scope: keyof ScopeTable) =>
        needs === 'authenticated'
          ? use.scopes === undefined || table[scope].size > 0
          : needs !== null && table[scope].has(needs);

      let kept = cache.kept(stream);
      for (let tried = 0; tried < KEY_CHECKS_MAX; tried += 1) {
        try {
          const keyring = kept ?? (await cache.read(stream));
          const at = clock.now();
          const verdict = judge(keyring.keyring, { keyId, hasHash, opens }, at);
          if (await done(judgedWith(keyring, stream, !kept, verdict, keyId), use, at)) {
            if (verdict.outcome === 'denied') return deniedAs[verdict.reason];
            const { label, scope } = verdict.key;
            return {
              allowed: true,
              caller: {
                actor: { kind: 'key', id: keyId, name: label },
                organisation: keyring.keyring.organisation,
                roles: [],
                permissions: table[scope],
                person: false,
                scope,
              },
            };
          }
        } catch (error) {
          if (!(error instanceof GuardMoved)) {
            measured.unrecorded();
            throw error;
          }
        }
        kept = undefined;
      }
      throw new LogUnavailable(`${stream} has moved ${KEY_CHECKS_MAX} times under one request`);
    },

    start() {
      passes ??= repeat(look, { signal: ending.signal, failed, pauseMaxMs: DENIAL_LOOK_MS });
    },

    async stop() {
      ending.abort();
      const record = async () => {
        await passes;
        await denials.record({ all: true }).catch(failed);
      };
      await withTimeout(record(), DENIAL_STOP_MS, () => {});
    },
  };
};

/** The reason of a denial that needs no secret; else `null`. */
const countedReasonOf = (verdict: Verdict): CountedReason | null =>
  countedReasons.find((reason) => verdict.outcome === 'denied' && verdict.reason === reason) ??
  null;

/** A verdict with the keyring it was based on. */
interface Judged {
  readonly verdict: Verdict;
  readonly keyId: string;
  /** The organisation whose journal it is recorded in; `null`: the journal of unknown keys. */
  readonly organisation: string | null;
  /** The keyring's revision at the verdict; `null` for a token that names none. */
  readonly guard: Guard | null;
  /** Whether the keyring was read after the request arrived. */
  readonly confirmed: boolean;
}

const judgedWith = (
  { keyring, revision }: ReadKeyring,
  stream: string,
  confirmed: boolean,
  verdict: Verdict,
  keyId: string,
): Judged => ({
  verdict,
  keyId,
  // An unknown key belongs to no organisation, whatever keyring its id names.
  organisation: 'key' in verdict ? keyring.organisation : null,
  guard: { stream, revision },
  confirmed,
});

const denial = (code: KeyProblem, detail: string): KeyAnswer => ({ allowed: false, code, detail });

/** An unknown key and a wrong secret get the same answer, so that key ids cannot be probed. */
const deniedAs: Readonly<Record<DenialReason, KeyAnswer>> = {
  unknown: denial('UNAUTHENTICATED', 'The API key is unknown.'),
  secret_mismatch: denial('UNAUTHENTICATED', 'The API key is unknown.'),
  expired: denial('KEY_EXPIRED', 'The API key has expired.'),
  revoked: denial('KEY_REVOKED', 'The API key was revoked.'),
  scope: denial('SCOPE_DENIED', "This is outside the API key's scope."),
};

/** Neither empty nor too long, and storable, so that no header can make the check fail. */
const sourceOf = ({ sourceIp }: KeyUse): string =>
  storable(sourceIp, SOURCE_CHARACTERS_MAX) || 'unknown';

const userAgentOf = ({ userAgent }: KeyUse): string | null =>
  userAgent === null ? null : storable(userAgent, USER_AGENT_CHARACTERS_MAX);

const storable = (text: string, charactersMax: number): string =>
  asStorable(text.slice(0, charactersMax));
