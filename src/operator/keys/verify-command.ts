import { setTimeout as sleep } from 'node:timers/promises';
import { configOf } from '../../config.ts';
import { openDatabase, type Database } from '../../db/pool.ts';
import { monthsBefore } from '../../domain/calendar.ts';
import type { Instant } from '../../domain/decider.ts';
import { AUDIT_RETENTION_MONTHS, AUDIT_VERIFY_WAIT_MS, REQUEST_LOOK_MS } from '../../limits.ts';
import type { EventStore } from '../../store/event-store.ts';
import { clockOf, openAdapters } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { readAudit, shownBy, type AuditSide } from './audit-side.ts';
import { readLog, type LogSide } from './log-side.ts';
import { OperatorError } from '../operator-error.ts';
import type { Selected } from './tallies.ts';

export interface VerifyCommand {
  readonly json?: boolean;
  readonly env: Env;
}

export interface AuditVerdict {
  readonly equal: boolean;
  /** Records of the last 18 months, by the log. */
  readonly records: number;
  readonly organisations: number;
  /** What is wrong, a line each. */
  readonly differences: readonly string[];
  /** On EventStoreDB, uses that lie after a revocation which they could not see; a line each. */
  readonly late: readonly string[];
}

/**
 * `atrium audit verify`: what the audit answers, held against the log. Changes nothing; the server
 * may run meanwhile.
 *
 * @returns The exit code: 0, or 1 where there are differences.
 * @throws {@link OperatorError} if the read model has not been built, with one line.
 */
export const verifyCommand = async ({ env, json }: VerifyCommand): Promise<number> => {
  const config = configOf(env);
  const logger = commandLogger(env, config);
  const { log, databaseUrl, close } = await openAdapters(config, logger);
  const db = openDatabase({ url: databaseUrl, logger, connectionsMax: 1 });
  try {
    const verdict = await verifyAudit(log, db, (await clockOf(config, log)).now());
    process.stdout.write(`${json ? JSON.stringify(verdict) : linesOf(verdict)}\n`);
    return verdict.equal ? 0 : 1;
  } finally {
    await db.close();
    await close();
  }
};

/**
 * @param db With one connection.
 * @throws {@link OperatorError} if the read model has not been built.
 */
export const verifyAudit = async (
  log: EventStore,
  db: Database,
  now: Instant,
): Promise<AuditVerdict> => {
  const { position: head } = await log.head();
  const giveUpAt = performance.now() + AUDIT_VERIFY_WAIT_MS;
  let shown = await shownBy(db);
  while (shown && log.compare(shown.position, head) < 0 && performance.now() < giveUpAt) {
    await sleep(REQUEST_LOOK_MS);
    shown = await shownBy(db);
  }
  if (!shown) {
    const remedy = 'start the server, or run atrium projections prepare';
    throw new OperatorError(`the read model key-audit has not been built: ${remedy}`);
  }
  const audit = await readAudit(db, now);
  const logged = await readLog(log, audit.position, monthsBefore(now, AUDIT_RETENTION_MONTHS));
  const behind = log.compare(audit.position, head) < 0;
  const differences = [
    ...(behind ? [behindOf(log, audit, head)] : []),
    ...(audit.parkedStreams === 0
      ? []
      : [`${audit.parkedStreams} streams are parked; see atrium projections parked key-audit`]),
    ...compared(logged, audit),
    ...logged.breaches,
  ];
  const { tallies, records, late } = logged;
  const organisations = new Set(tallies.selections().map(({ organisation }) => organisation)).size;
  return { equal: differences.length === 0, records, organisations, differences, late };
};

const behindOf = (log: EventStore, { position }: AuditSide, head: string | null): string => {
  const events = log.distance(position, head);
  const by = events === null ? '' : ` by ${events} events`;
  return `the audit is behind the log${by}: does a server run?`;
};

/** The filters of an organisation are only told of where its whole list is right. */
const compared = ({ tallies: log }: LogSide, { tallies: audit }: AuditSide): string[] => {
  const all = [...log.selections(), ...audit.selections()];
  const names = new Map(all.map((selected) => [JSON.stringify(selected), selected]));
  const wrong = [...names.values()].flatMap((selected) => {
    const what = log.difference(selected, audit);
    return what === null ? [] : [{ selected, what }];
  });
  const lists = wrong.filter(({ selected }) => selected.month !== undefined);
  const told = new Set(lists.map(({ selected }) => selected.organisation));
  const filters = wrong.filter(
    ({ selected }) => selected.month === undefined && !told.has(selected.organisation),
  );
  const uses = [...names.values()].flatMap((selected) => {
    const { organisation, keyId } = selected;
    if (organisation === null || keyId === undefined || told.has(organisation)) return [];
    const [mine, its] = [log.lastUse(organisation, keyId), audit.lastUse(organisation, keyId)];
    if (mine === its) return [];
    const what = `last used ${mine ?? 'never'} by the log, ${its ?? 'never'} by the audit`;
    return [{ selected, what }];
  });
  return [...lists, ...filters, ...uses].map(
    ({ selected, what }) => `${nameOf(selected)}: ${what}`,
  );
};

const nameOf = ({ organisation, month, action, outcome, keyId }: Selected): string =>
  [
    organisation ?? 'nobody',
    ...(month === undefined ? [] : [month]),
    ...(action === undefined ? [] : [`action ${action}`]),
    ...(outcome === undefined ? [] : [`outcome ${outcome}`]),
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
  ].join(', ');

const linesOf = ({ equal, records, organisations, differences, late }: AuditVerdict): string => {
  const what = `${records} records of ${organisations} organisations`;
  const verdict = equal ? `the audit is what the log says: ${what}` : 'the audit is not in order';
  const told = late.map((line) => `  later in the log than it was decided: ${line}`);
  return [verdict, ...differences.map((line) => `  ${line}`), ...told].join('\n');
};
