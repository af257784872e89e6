import type { Instant } from '../../engine/aggregates/decider.ts';
import { AUDIT_CHAINING } from '../../processes/keys/audit-chaining.ts';
import type { Checkpoints } from '../../engine/consumers/checkpoints.ts';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { logIdentity } from '../../engine/log/log-identity.ts';
import { OperatorError } from '../operator-error.ts';
import { checkpointIn, type Checkpoint } from './checkpoint-file.ts';
import { checkIndex } from './index-check.ts';
import { checkJournal } from './journal-check.ts';
import { isAuditRetired } from '../../domain/keys/retention.ts';
import { chainedJournals } from './journals.ts';
import { fingerprintOf, publicKeyIn } from './signing-key.ts';

/** The result of comparing the records in the log with their chains. */
export interface ChainVerdict {
  /** Journals and keyrings that have a chain or are in the checkpoint. */
  readonly journals: number;
  /** Chained records. */
  readonly records: number;
  /** Records that are not chained yet. */
  readonly waiting: number;
  /** Errors, one line each. */
  readonly differences: readonly string[];
  /** Lines that an operator needs to judge the verdict. */
  readonly notes: readonly string[];
}

/** A checkpoint to compare the chains with. */
export interface Against {
  readonly checkpoint: Checkpoint;
  /** Whether its signature was verified with the operator's public key. */
  readonly isKnownSigner: boolean;
}

/**
 * @param file The checkpoint.
 * @param publicKey File of the key that must have signed it. Default: any key.
 * @throws {@link OperatorError} if one of the files is invalid.
 */
export const againstIn = (file: string, publicKey: string | undefined): Against => {
  const checkpoint = checkpointIn(file);
  if (publicKey === undefined) return { checkpoint, isKnownSigner: false };
  const [expected, found] = [publicKeyIn(publicKey), checkpoint.publicKey].map(fingerprintOf);
  if (expected !== found)
    throw new OperatorError(`${file} was signed by ${found}, and ${publicKey} is ${expected}`);
  return { checkpoint, isKnownSigner: true };
};

/** Every record up to this position is chained, by the checkpoint of the chain's follower. */
export const followedUpTo = async (checkpoints: Checkpoints): Promise<Position | null> =>
  (await checkpoints.of([AUDIT_CHAINING])).get(AUDIT_CHAINING)?.position ?? null;

export interface ChainsParts {
  readonly log: EventStore;
  readonly now: Instant;
  /** See {@link followedUpTo}: read before anything else. */
  readonly followed: Position | null;
  readonly against: Against | null;
  /** Journals found in the log. */
  readonly journals: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Compares every journal with its chain, its index, and the checkpoint.
 *
 * @throws The reason of `signal` once it has aborted.
 */
export const verifyChains = async (parts: ChainsParts): Promise<ChainVerdict> => {
  const { log, now, followed, against, signal } = parts;
  const checkpointed = new Map(
    (against?.checkpoint.journals ?? [])
      .filter(({ journal }) => !isAuditRetired(journal, now))
      .map((one) => [one.journal, { ...one, madeAt: against!.checkpoint.madeAt }]),
  );
  const listed = await chainedJournals(log, now);
  const held = [...parts.journals].filter((journal) => !isAuditRetired(journal, now));
  const journals = [...new Set([...listed, ...held, ...checkpointed.keys()])].toSorted();
  let [records, waiting] = [0, 0];
  const differences: string[] = [];
  for (const journal of journals) {
    signal.throwIfAborted();
    const heads = checkpointed.get(journal) ?? null;
    const found = await checkJournal(journal, { log, followed, against: heads });
    records += found.chained;
    waiting += found.waiting;
    differences.push(...found.differences, ...(await checkIndex(log, journal)));
  }
  const notes = against ? await notesOn(against, checkpointed.size, log) : [];
  return { journals: journals.length, records, waiting, differences, notes };
};

const notesOn = async (
  { checkpoint, isKnownSigner }: Against,
  kept: number,
  log: EventStore,
): Promise<readonly string[]> => {
  const { madeAt, journals, publicKey, log: identity } = checkpoint;
  const over = journals.length - kept;
  return [
    `held against the checkpoint of ${madeAt}, signed by ${fingerprintOf(publicKey)}`,
    ...(isKnownSigner ? [] : ['the owner of the key is unknown: name it with --public-key']),
    ...(over === 0 ? [] : [`${over} journals of the checkpoint are over their term`]),
    ...(identity === (await logIdentity(log)) ? [] : ['it was made from another log']),
  ];
};
