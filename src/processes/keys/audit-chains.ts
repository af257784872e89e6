/**
 * The hash chains of the audit: collects records in log order and stores their links in batches.
 * docs/decisions/0048.
 */
import { v5 as uuidFrom } from 'uuid';
import { chainListOf, chainOf, type AuditChainEvent } from '../../domain/keys/audit-chain.ts';
import { isAuditRetired } from '../../domain/keys/retention.ts';
import {
  AUDIT_CHAIN_APPEND_BLOCKS_MAX,
  AUDIT_CHAIN_APPENDS_AT_ONCE,
  AUDIT_CHAIN_BLOCK_RECORDS_MAX,
  AUDIT_CHAINS_KEPT_MAX,
} from './limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { chunksOf } from '../../engine/concurrency/chunks.ts';
import { lruCache, type LruCache } from '../../engine/concurrency/lru-cache.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import {
  chainStart,
  headAfter,
  lastOfChain,
  linkOf,
  packed,
  type Link,
} from '../../use-cases/keys/audit-chain.ts';
import { auditChainCodec } from '../../domain/keys/codecs.ts';
import type { EventStore, NewEvent, StoredEvent } from '../../engine/log/event-store.ts';
import { indexSections } from './use-index.ts';

export interface AuditChainsParts {
  readonly log: Pick<EventStore, 'append' | 'readStream'>;
  readonly clock: Clock;
}

/** The end of a chain. */
interface End {
  /** Revision of the record that comes next. */
  readonly next: number;
  readonly head: Buffer;
  /** Of the last event of the chain's stream; `null`: the stream is empty. */
  readonly revision: number | null;
}

/** Links without a gap, and the chain's hash after the last of them. */
interface Block {
  readonly links: readonly Link[];
  readonly head: Buffer;
}

export class AuditChains {
  readonly #log: AuditChainsParts['log'];
  readonly #clock: Clock;
  /** The chains written last, cached to save reads of the log. */
  readonly #ends: LruCache<End> = lruCache(AUDIT_CHAINS_KEPT_MAX);
  #waiting = new Map<string, Link[]>();
  #records = 0;

  constructor({ log, clock }: AuditChainsParts) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Added records that are in no chain yet. */
  get waiting(): number {
    return this.#records;
  }

  /** Records in the order of their journals. Idempotent for chained ones. */
  add(records: readonly StoredEvent[]): void {
    const now = this.#clock.now();
    for (const record of records) {
      const { stream } = record;
      const links = this.#waiting.get(stream);
      // The log may still return a deleted journal, whose chain must not be written again.
      if (!links && isAuditRetired(stream, now)) continue;
      if (links) links.push(linkOf(record));
      else this.#waiting.set(stream, [linkOf(record)]);
      this.#records += 1;
    }
  }

  /**
   * Stores the links of all added records.
   *
   * @throws {@link WrongRevision} if another process has chained meanwhile, and as the log does.
   *   This instance is then in an unknown state and must be discarded.
   */
  async flush(): Promise<void> {
    const all = [...this.#waiting];
    this.#waiting = new Map();
    this.#records = 0;
    await forEachConcurrently(all, AUDIT_CHAIN_APPENDS_AT_ONCE, ([journal, links]) =>
      this.#extend(journal, links),
    );
  }

  async #extend(journal: string, links: readonly Link[]): Promise<void> {
    let end = this.#ends.get(journal) ?? (await this.#endOf(journal));
    const fresh = await this.#withMissing(
      journal,
      end.next,
      links.filter(({ revision }) => revision >= end.next),
    );
    const blocks = blocksOf(end.head, fresh);
    if (blocks.length > 0 && end.revision === null) await this.#list(journal);
    const next = (fresh.at(-1)?.revision ?? end.next - 1) + 1;
    // Before the chain, so that every chained record is indexed.
    await indexSections({ log: this.#log, clock: this.#clock }, journal, { from: end.next, next });
    for (const some of chunksOf(blocks, AUDIT_CHAIN_APPEND_BLOCKS_MAX)) {
      const { revision } = await this.#log.append(
        chainOf(journal),
        end.revision ?? 'no_stream',
        some.map((block) => this.#chained(journal, block)),
      );
      const last = some.at(-1)!;
      end = { next: last.links.at(-1)!.revision + 1, head: last.head, revision };
    }
    this.#ends.set(journal, end);
  }

  async #endOf(journal: string): Promise<End> {
    const last = await lastOfChain(this.#log, journal);
    if (!last) return { next: 0, head: chainStart(journal), revision: null };
    const link = last.links.at(-1);
    if (!link) throw new Error(`the chain of ${journal} ends without a link`);
    return { next: link.revision + 1, head: last.head, revision: last.revision };
  }

  /** Adds earlier records that the subscription did not deliver, if the log has them. */
  async #withMissing(
    journal: string,
    next: number,
    links: readonly Link[],
  ): Promise<readonly Link[]> {
    const earlier: Link[] = [];
    const first = links[0]?.revision ?? next;
    for (let from = next; from < first;) {
      const page = await this.#log.readStream(journal, { from });
      const missed = page.filter(({ revision }) => revision < first);
      if (missed.length === 0) break;
      earlier.push(...missed.map(linkOf));
      from = missed.at(-1)!.revision + 1;
    }
    return [...earlier, ...links];
  }

  async #list(journal: string): Promise<void> {
    const begun = this.#event(uuidFrom(journal, NAMESPACE), { type: 'ChainBegun', journal });
    await this.#log.append(chainListOf(journal), 'any', [begun]);
  }

  #chained(journal: string, { links, head }: Block): NewEvent {
    const from = links[0]!.revision;
    const hex = head.toString('hex');
    return this.#event(uuidFrom(`${journal}/${from}/${hex}`, NAMESPACE), {
      type: 'RecordsChained',
      from,
      links: packed(links),
      head: hex,
    });
  }

  #event(id: string, event: AuditChainEvent): NewEvent {
    const by = { kind: 'system', id: 'audit-chain' } as const;
    const at = this.#clock.now();
    return auditChainCodec.encode(id, event, { commandId: id, at, by, origin: 'system' });
  }
}

/** Event ids are derived, so that an append sent twice is stored once. */
const NAMESPACE = '3c9d8e0a-51f4-4c7b-8a63-0f6be2d1a74e';

/** Blocks of the maximum size, without gaps. */
const blocksOf = (start: Buffer, links: readonly Link[]): readonly Block[] => {
  const blocks: Block[] = [];
  let head = start;
  let block: Link[] = [];
  for (const link of links) {
    const last = block.at(-1);
    const isFull = block.length === AUDIT_CHAIN_BLOCK_RECORDS_MAX;
    if (last && (isFull || link.revision !== last.revision + 1)) {
      blocks.push({ links: block, head });
      block = [];
    }
    head = headAfter(head, link);
    block.push(link);
  }
  if (block.length > 0) blocks.push({ links: block, head });
  return blocks;
};
