import { open, type FileHandle } from 'node:fs/promises';
import { AUDIT_CHECKPOINT_EVERY_RECORDS } from '../limits.ts';
import { chainFrom, chainStart, headAfter } from '../../use-cases/keys/audit-chain.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { logIdentity } from '../../engine/log/log-identity.ts';
import { clockOf } from '../open-log.ts';
import type { Env } from '../command-logger.ts';
import { fileOutput, streamOutput } from '../events/output.ts';
import { onLog } from '../on-log.ts';
import { OperatorError, UsageError, isSystemError } from '../operator-error.ts';
import { headerLine, lineOf, signed } from './checkpoint-file.ts';
import type { KnownHead } from './fold-check.ts';
import type { CheckpointedJournal } from './journal-check.ts';
import { chainedJournals } from './journals.ts';
import { fingerprintOf, keyFileOf, signingKeyIn } from './signing-key.ts';

export interface CheckpointCommand {
  /** Default `-`: standard output. */
  readonly to?: string;
  /** Default: `audit.key` in the data directory. */
  readonly key?: string;
  /** Records between hashes. Default {@link AUDIT_CHECKPOINT_EVERY_RECORDS}. */
  readonly every?: string;
  readonly env: Env;
}

/**
 * `atrium audit checkpoint`: signs the current hash of every chain, to be kept elsewhere. Reads
 * only the chains and changes nothing; standard error reports what was signed.
 * docs/operating/api-keys.md.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} with one line if a chain is broken, the key or the file is
 *   unavailable, or the log cannot be reached; and `ReaderGone` when standard output is closed.
 */
export const checkpointCommand = async (command: CheckpointCommand): Promise<number> => {
  const { to = '-', env } = command;
  const every = everyOf(command.every);
  return onLog(env, async (log, config) => {
    const key = signingKeyIn(command.key ?? keyFileOf(config));
    const madeAt = (await clockOf(config, log)).now();
    const journals: CheckpointedJournal[] = [];
    for (const journal of [...(await chainedJournals(log, madeAt))].toSorted()) {
      const checkpointed = await journalOf(log, journal, every);
      if (checkpointed) journals.push(checkpointed);
    }
    const header = { atriumAuditCheckpoint: 1, log: await logIdentity(log), madeAt } as const;
    const lines = [headerLine(header), ...journals.map(lineOf)].join('');
    const { line, sha256 } = signed(lines, key);
    await write(to, `${lines}${line}`);
    const records = journals.reduce((sum, one) => sum + one.records, 0);
    process.stderr.write(
      `${records} records of ${journals.length} journals, SHA-256 ${sha256}, ` +
        `signed by ${fingerprintOf(key)}\n`,
    );
    return 0;
  });
};

/** `null`: its chain has no links yet. */
const journalOf = async (
  log: EventStore,
  journal: string,
  every: number,
): Promise<CheckpointedJournal | null> => {
  const heads: KnownHead[] = [];
  let head = chainStart(journal);
  let last: KnownHead | null = null;
  let records = 0;
  for await (const block of chainFrom(log, journal)) {
    for (const link of block.links) {
      if (last && records % every === 0) heads.push(last);
      head = headAfter(head, link);
      last = { revision: link.revision, head };
      records += 1;
    }
    if (!head.equals(block.head))
      throw new OperatorError(
        `no checkpoint was signed: the chain of ${journal} was changed at its revision ` +
          `${block.revision}; see atrium audit verify`,
      );
  }
  return last && { journal, records, heads: [...heads, last] };
};

const write = async (to: string, text: string): Promise<void> => {
  if (to === '-') {
    await streamOutput(process.stdout).write(text);
    return;
  }
  let file: FileHandle;
  try {
    file = await open(to, 'wx');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = error.code === 'EEXIST' ? 'is there already' : `cannot be made: ${error.message}`;
    throw new OperatorError(`${to} ${why}`, error);
  }
  await using output = fileOutput(file, 0);
  await output.write(text);
  await output.close();
};

const everyOf = (text: string | undefined): number => {
  if (text === undefined) return AUDIT_CHECKPOINT_EVERY_RECORDS;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError('--every must be a whole number of records, at least 1');
};
