/** Compares a restored copy with its manifest, and checks the log's guarantees. */
import { createHash } from 'node:crypto';
import type { Client, Pool } from 'pg';
import type { EventStore } from '../../engine/log/event-store.ts';
import { currentTimelineId } from '../../engine/log/log-identity.ts';
import { onDedicatedConnection } from '../../engine/postgres/dedicated-connection.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { verifyChains } from '../audit-chain/verify-chains.ts';
import { eventRows, tableRows, type CopiedRows } from './copy.ts';
import type { Manifest, SealedStream } from './manifest.ts';

export interface ComparisonParts {
  readonly manifest: Manifest;
  /** The restored database. */
  readonly pool: Pool;
  /** The restored log. */
  readonly log: EventStore;
  readonly signal: AbortSignal;
}

export interface CopyVerdict {
  /** The comparisons made, one line each. */
  readonly checked: readonly string[];
  /** One line each. */
  readonly differences: readonly string[];
}

/** Reads the whole restored copy. */
export const compareCopy = async (parts: ComparisonParts): Promise<CopyVerdict> => {
  const { manifest, pool, signal } = parts;
  const { tables } = manifest;
  const differences = await onDedicatedConnection(
    { pool, name: 'atrium verify', signal },
    async (client) => {
      await client.query('set synchronize_seqscans = off');
      const found: string[] = [];
      for (const table of tables)
        if (!(await isSame(tableRows(client, table), table))) found.push(`table ${table.name}`);
      return found;
    },
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const ofLog = await (manifest.log.isInDatabase ? rowsOfLog(parts) : importedLog(parts));
  const chains = await verifyChains({
    log: parts.log,
    now: systemClock.now(),
    followed: null,
    against: null,
    journals: new Set(),
    signal,
  });
  return {
    checked: [
      `${rows} rows of ${tables.length} tables, by digest`,
      ...ofLog.checked,
      `${chains.records} audit records of ${chains.journals} journals, by their hash chains`,
    ],
    differences: [...differences, ...ofLog.differences, ...chains.differences],
  };
};

const isSame = async ({ chunks, rows }: CopiedRows, expected: SealedStream & { rows: number }) => {
  const digest = createHash('sha256');
  for await (const chunk of chunks) digest.update(chunk);
  return digest.digest('hex') === expected.sha256 && rows() === expected.rows;
};

const rowsOfLog = ({ manifest, pool, log, signal }: ComparisonParts): Promise<CopyVerdict> =>
  onDedicatedConnection({ pool, name: 'atrium verify', signal }, async (client) => {
    const { segments, position, identity } = manifest.log;
    const differences: string[] = [];
    let events = 0;
    for (const segment of segments) {
      const { after, upTo } = segment;
      events += segment.events;
      const copied = eventRows(client, Number(after), Number(upTo));
      if (!(await isSame(copied, { ...segment, rows: segment.events })))
        differences.push(`the log after ${after}`);
    }
    differences.push(...(await gapsIn(client)));
    if ((await log.head()).position !== position) differences.push('the end of the log');
    if ((await currentTimelineId(log)) !== identity) differences.push('the identity of the log');
    return {
      checked: [`${events} events of the log up to ${position}, by digest; revisions and identity`],
      differences,
    };
  });

/** Streams that lack a revision between their first and their last one. */
const gapsIn = async (client: Client): Promise<readonly string[]> => {
  const { rows } = await client.query<{ streams: number }>(
    `select count(*) as streams from (
       select from es.event group by stream
       having max(revision) - min(revision) + 1 <> count(*)) as torn`,
  );
  const { streams } = rows[0]!;
  return streams === 0 ? [] : [`${streams} streams lack events in their middle`];
};

/** The import has compared each stored event with its file. */
const importedLog = async ({ manifest }: ComparisonParts): Promise<CopyVerdict> => {
  const events = manifest.log.segments.reduce((sum, segment) => sum + segment.events, 0);
  return {
    checked: [`${events} events of the log, each as in its export`],
    differences: [],
  };
};
