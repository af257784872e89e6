/**
 * The computation of the audit's hash chains. A record's digest covers its content; a link binds it
 * to its position, and to all links before it. docs/decisions/0048.
 */
import { hash } from 'node:crypto';
import { chainOf, type AuditChainEvent } from '../../domain/keys/audit-chain.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { auditChainCodec } from '../../domain/keys/codecs.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { pagesOf } from '../../engine/log/history.ts';

/** A chain's entry for one record. */
export interface Link {
  readonly revision: number;
  /** The record's id. */
  readonly id: string;
  readonly digest: Buffer;
}

/** Links of a chain stored in one event. */
export interface ChainedLinks {
  readonly links: readonly Link[];
  /** The stored hash of the chain after the last of them. */
  readonly head: Buffer;
  readonly at: Instant;
  /** The revision in the chain's stream. */
  readonly revision: number;
}

const ID_BYTES = 16;
const DIGEST_BYTES = 32;
const REVISION_BYTES = 8;
const LINK_BYTES = ID_BYTES + DIGEST_BYTES;

/**
 * SHA-256 over stream, id, type, data and metadata as JSON, with members in stored order. Position
 * and recording time are excluded, because they change when the log is moved.
 */
export const digestOf = ({ stream, id, type, data, meta }: Omit<StoredEvent, 'revision'>): Buffer =>
  hash('sha256', JSON.stringify([stream, id, type, data, meta]), 'buffer');

export const linkOf = (record: StoredEvent): Link => ({
  revision: record.revision,
  id: record.id,
  digest: digestOf(record),
});

/** The hash of a chain without links. */
export const chainStart = (journal: string): Buffer =>
  hash('sha256', `atrium audit chain of ${journal}`, 'buffer');

/** The hash of a chain after one more link: SHA-256 over the hash before, revision, id, digest. */
export const headAfter = (head: Buffer, { revision, id, digest }: Link): Buffer => {
  const bytes = Buffer.allocUnsafe(DIGEST_BYTES + REVISION_BYTES + LINK_BYTES);
  head.copy(bytes);
  bytes.writeBigUInt64BE(BigInt(revision), DIGEST_BYTES);
  bytes.write(hexOf(id), DIGEST_BYTES + REVISION_BYTES, 'hex');
  digest.copy(bytes, DIGEST_BYTES + REVISION_BYTES + ID_BYTES);
  return hash('sha256', bytes, 'buffer');
};

/** The stored form of links: of each its id and its digest, in base64. */
export const packed = (links: readonly Link[]): string =>
  Buffer.concat(
    links.flatMap(({ id, digest }) => [Buffer.from(hexOf(id), 'hex'), digest]),
  ).toString('base64');

/** The stored links of a chain from its beginning; none if the journal has no chain. */
export async function* chainFrom(
  log: Pick<EventStore, 'readStream'>,
  journal: string,
): AsyncGenerator<ChainedLinks> {
  for await (const page of pagesOf(log, chainOf(journal)))
    for (const stored of page) {
      const chained = chainedLinksOf(auditChainCodec.decode(stored));
      if (chained) yield chained;
    }
}

/** The last stored links of a chain; `null`: the journal is not chained. */
export const lastOfChain = async (
  log: Pick<EventStore, 'readStream'>,
  journal: string,
): Promise<ChainedLinks | null> => {
  const [stored] = await log.readStream(chainOf(journal), { backwards: true, limit: 1 });
  return stored ? chainedLinksOf(auditChainCodec.decode(stored)) : null;
};

const chainedLinksOf = ({
  event,
  at,
  revision,
}: Recorded<AuditChainEvent>): ChainedLinks | null => {
  if (event.type !== 'RecordsChained') return null;
  return { links: unpacked(event), head: Buffer.from(event.head, 'hex'), at, revision };
};

const unpacked = ({
  from,
  links,
}: Extract<AuditChainEvent, { type: 'RecordsChained' }>): readonly Link[] => {
  const bytes = Buffer.from(links, 'base64');
  return Array.from({ length: Math.floor(bytes.length / LINK_BYTES) }, (_, index) => {
    const link = bytes.subarray(index * LINK_BYTES, (index + 1) * LINK_BYTES);
    const id = link.toString('hex', 0, ID_BYTES);
    return { revision: from + index, id: idOf(id), digest: link.subarray(ID_BYTES) };
  });
};

/** `3f0c1d5a-…` without its hyphens, and back. */
const hexOf = (id: string): string => id.replaceAll('-', '');
const idOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
