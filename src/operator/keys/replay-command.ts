import { z } from 'zod';
import { auditItemOf } from '../../api/keys/audit-schemas.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { KeyringEvent } from '../../domain/keys/events.ts';
import { keyAt, keyringAfter, type KeyringView } from '../../domain/keys/view.ts';
import { isKeyId, keyringOfKey } from '../../identity/keys/token.ts';
import type { AuditRow } from '../../projections/keys/key-audit.ts';
import { keyHistory, type HistoryCursor } from '../../projections/keys/key-history.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { keyringCodec } from '../../domain/keys/codecs.ts';
import { READ_PAGE_EVENTS, type EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { ReaderGone, streamOutput, type Output } from '../events/output.ts';
import { clockOf } from '../open-log.ts';
import type { Env } from '../command-logger.ts';
import { onLog } from '../on-log.ts';
import { OperatorError, UsageError } from '../operator-error.ts';
import { recordLine, keyLines, type KeyState } from './print.ts';

export interface ReplayCommand {
  readonly key: string;
  /** Default: now. */
  readonly asOf?: string;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * `atrium audit replay`: a key's history from the log, oldest first, up to `asOf`, and then the
 * key's state at that time. Issuance and revocation of any age, uses of the last 18 months. With
 * `json` one object per line; the last one is `{ asOf, key }`.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} with one line if there was no such key at that time.
 */
export const replayCommand = async ({ key, asOf, json, env }: ReplayCommand): Promise<number> => {
  if (!isKeyId(key)) throw new UsageError('a key id has 22 letters and digits');
  const output = streamOutput(process.stdout);
  try {
    await onLog(env, async (log, config) => {
      const now = (await clockOf(config, log)).now();
      const until = asOf === undefined ? now : instantOf(asOf);
      if (until > now) throw new OperatorError(`${until} is in the future`);
      await replay(log, { key, until, now }, output, json === true);
    });
  } catch (error) {
    if (!(error instanceof ReaderGone)) throw error;
  }
  return 0;
};

interface ReplayQuery {
  readonly key: string;
  readonly until: Instant;
  readonly now: Instant;
}

const replay = async (log: EventStore, query: ReplayQuery, output: Output, json: boolean) => {
  const { key, until, now } = query;
  const all = await historyOf(log, keyringCodec, streamOf('keyring', keyringOfKey(key)));
  const [opened] = all;
  const ofKey = all.filter(({ event }) => 'keyId' in event && event.keyId === key);
  const [issued] = ofKey;
  if (opened?.event.type !== 'KeyringOpened' || !issued) {
    throw new OperatorError(`there is no key ${key}`);
  }
  if (issued.at > until) throw new OperatorError(`the key was not issued before ${issued.at}`);

  const { organisation } = opened.event;
  const facts = ofKey.filter(({ at }) => at <= until);
  let lastUsedAt: Instant | null = null;
  for await (const row of rowsOf(log, { organisation, keyId: key, facts, now })) {
    // A journal is in recording order, which may differ slightly from the order of times.
    if (row.at > until) continue;
    if (isAllowedUse(row) && row.at > (lastUsedAt ?? '')) lastUsedAt = row.at;
    await output.write(`${json ? JSON.stringify(auditItemOf(row)) : recordLine(row)}\n`);
  }
  const state = { organisation, ...stateAt(facts, until), lastUsedAt };
  const summary = json ? JSON.stringify({ asOf: until, key: state }) : keyLines(state, until);
  await output.write(`${summary}\n`);
};

async function* rowsOf(
  log: EventStore,
  query: Omit<Parameters<typeof keyHistory>[1], 'place' | 'limit'>,
): AsyncGenerator<AuditRow> {
  let place: HistoryCursor | null = null;
  do {
    const page = await keyHistory(log, { ...query, place, limit: READ_PAGE_EVENTS });
    yield* page.rows;
    place = page.next;
  } while (place !== null);
}

const isAllowedUse = ({ action, outcome }: AuditRow): boolean =>
  action === 'key.used' && outcome === 'allowed';

const stateAt = (
  facts: readonly Recorded<KeyringEvent>[],
  at: Instant,
): Omit<KeyState, 'lastUsedAt' | 'organisation'> => {
  const view = facts.reduce<KeyringView | null>((seen, fact) => keyringAfter(fact, seen), null);
  return keyAt(view!.keys[0]!, at);
};

/** A time with any offset, or a date, which means its first instant in UTC. */
const instantOf = (text: string): Instant => {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
  // `Date` would parse 30 February as a day of March.
  const isDay = z.iso.date().safeParse(text.slice(0, 10)).success;
  const at = form.test(text) && isDay ? new Date(text) : null;
  // Years of more than four digits do not sort as strings.
  if (!at || Number.isNaN(at.getTime()) || !/^\d{4}-/.test(at.toISOString())) {
    throw new UsageError(`${text} is no time; write it as 2026-03-01T09:00:00Z`);
  }
  return at.toISOString();
};
