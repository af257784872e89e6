/** A log in Postgres: segments of rows of `es.event`, copied once while they stay complete. */
import type { Client } from 'pg';
import { BACKUP_SEGMENT_EVENTS } from '../limits.ts';
import { eventRows } from './copy.ts';
import type { Manifest, SealedStream, Segment } from './manifest.ts';
import { sealedStream, type Sealing } from './sealed-stream.ts';

export interface SegmentsParts {
  /** In the backup's snapshot. */
  readonly client: Client;
  readonly sealing: Sealing;
  /** Segments of the same log, encrypted for the same recipients. */
  readonly previous: readonly Segment[];
  /** Whether the place has a part. */
  readonly has: (part: string) => boolean;
  readonly onEvents: (events: number, share: number) => void;
}

/**
 * Copies the segments that have lost events since the previous backup, because a journal was
 * removed, or whose parts the place has lost, and the events after that backup; the other segments
 * are shared with it. Removed events are in no new backup.
 */
export const logSegments = async ({
  client,
  sealing,
  previous,
  has,
  onEvents,
}: SegmentsParts): Promise<Pick<Manifest['log'], 'position' | 'segments'>> => {
  const { rows } = await client.query<{ head: number | null; watermark: number }>(
    `select (select max(position) from es.event) as head,
       (select up_to from es.watermark) as watermark`,
  );
  const { head, watermark } = rows[0]!;
  if (head === null) return { position: null, segments: [] };
  const whole = await wholeSegments(client, previous, watermark);
  const end = Number(previous.at(-1)?.upTo ?? 0);
  const ranges: Segment[] = [...previous];
  for (let after = end; after < head; after += BACKUP_SEGMENT_EVENTS) {
    const upTo = Math.min(after + BACKUP_SEGMENT_EVENTS, head);
    ranges.push({ after: String(after), upTo: String(upTo), events: 0, ...nothing() });
  }
  const segments: Segment[] = [];
  let events = 0;
  for (const range of ranges) {
    const isStored = whole.has(range) && range.parts.every(has);
    const segment = isStored ? range : await copied(client, sealing, range);
    events += segment.events;
    onEvents(events, Number(range.upTo) / head);
    // A segment whose events were all removed is not stored.
    if (segment.events > 0) segments.push(segment);
  }
  return { position: String(head), segments };
};

const nothing = (): SealedStream => ({ sha256: '', bytes: 0, parts: [] });

const copied = async (client: Client, sealing: Sealing, range: Segment): Promise<Segment> => {
  const { after, upTo } = range;
  const { chunks, rows } = eventRows(client, Number(after), Number(upTo));
  const stored = await sealedStream(sealing, chunks);
  return { ...stored, after, upTo, events: rows() };
};

/** @param watermark No event above it was ever removed. */
const wholeSegments = async (
  client: Client,
  previous: readonly Segment[],
  watermark: number,
): Promise<ReadonlySet<Segment>> => {
  const doubtful = previous.filter(({ after }) => Number(after) < watermark);
  const { rows } = await client.query<{ nth: number; events: number }>(
    `select r.nth, (select count(*) from es.event as e
       where e.position > r.after and e.position <= r.up_to) as events
     from unnest($1::bigint[], $2::bigint[]) with ordinality as r (after, up_to, nth)`,
    [doubtful.map(({ after }) => after), doubtful.map(({ upTo }) => upTo)],
  );
  const torn = new Set(
    rows.filter(({ nth, events }) => doubtful[nth - 1]!.events !== events).map(({ nth }) => nth),
  );
  return new Set(
    previous.filter((segment) => {
      const nth = doubtful.indexOf(segment) + 1;
      return nth === 0 || !torn.has(nth);
    }),
  );
};
