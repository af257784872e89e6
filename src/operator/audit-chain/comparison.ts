/**
 * Compares the records of a journal with the links of its chain, and reports each record that was
 * changed, removed, inserted or moved, and a journal that was truncated.
 */
import { AUDIT_NAMED_MAX_RECORDS } from '../limits.ts';
import type { Link } from '../../use-cases/keys/audit-chain.ts';

export interface Difference {
  /** The first revision concerned. */
  readonly revision: number;
  readonly line: string;
}

/** Takes each record as the link that it would have now. */
export class Comparison {
  readonly #journal: string;
  /** Links whose record was not found at their position, by the record's id. */
  readonly #without = new Map<string, Link>();
  /** Records at positions without a link, or with another record's link. */
  readonly #strange: Link[] = [];
  #lastRecord = -1;
  #lastLink = -1;

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** @param record The record at the position of `link`; `null`: none. */
  link(link: Link, record: Link | null): void {
    this.#lastLink = link.revision;
    if (record) this.#lastRecord = record.revision;
    if (record && isRecordOf(link, record)) return;
    this.#without.set(link.id, link);
    if (record) this.#strange.push(record);
  }

  /** A record between two links. */
  between(record: Link): void {
    this.#lastRecord = record.revision;
    this.#strange.push(record);
  }

  /** A record after the last link. @returns Whether it was moved here from an earlier position. */
  after(record: Link): boolean {
    this.#lastRecord = record.revision;
    if (!this.#without.has(record.id)) return false;
    this.#strange.push(record);
    return true;
  }

  /** In the order of the journal. */
  differences(): readonly Difference[] {
    const found: Difference[] = [];
    const name = (revision: number, what: string) =>
      found.push({ revision, line: `${this.#journal}, revision ${revision}: the record ${what}` });
    const shifted: Shifted[] = [];
    for (const record of this.#strange) {
      const { id, revision } = record;
      const link = this.#without.get(id);
      if (!link) name(revision, `${id} was inserted`);
      else if (!record.digest.equals(link.digest)) name(revision, `${id} was changed`);
      else shifted.push({ from: link.revision, record });
      this.#without.delete(id);
    }
    // Inserted or removed records before them explain their new positions.
    if (!isInOrder(shifted))
      for (const { from, record } of shifted)
        name(record.revision, `${record.id} was moved here from revision ${from}`);
    found.push(...runsOf([...this.#without.values()]).map((run) => this.#removed(run)));
    return shortened(
      this.#journal,
      found.toSorted((a, b) => a.revision - b.revision),
    );
  }

  #removed(run: readonly Link[]): Difference {
    const [first, last] = [run[0]!.revision, run.at(-1)!.revision];
    const ids = run.slice(0, AUDIT_NAMED_MAX_RECORDS).map(({ id }) => id);
    const named = `${ids.join(', ')}${run.length > ids.length ? ', …' : ''}`;
    const isEnd = last === this.#lastLink && this.#lastRecord < first;
    const line = isEnd
      ? `${this.#journal} was cut: its records from revision ${first} to ${last} are gone: ${named}`
      : run.length === 1
        ? `${this.#journal}, revision ${first}: the record ${named} was removed`
        : `${this.#journal}, revisions ${first} to ${last}: the records were removed: ${named}`;
    return { revision: first, line };
  }
}

interface Shifted {
  readonly from: number;
  readonly record: Link;
}

const isRecordOf = (link: Link, record: Link): boolean =>
  record.id === link.id && record.digest.equals(link.digest);

const isInOrder = (shifted: readonly Shifted[]): boolean =>
  shifted
    .toSorted((a, b) => a.from - b.from)
    .every(({ record }, at, all) => at === 0 || all[at - 1]!.record.revision < record.revision);

/** Groups links of consecutive revisions. */
const runsOf = (links: readonly Link[]): readonly (readonly Link[])[] => {
  const runs: Link[][] = [];
  for (const link of links.toSorted((a, b) => a.revision - b.revision)) {
    const run = runs.at(-1);
    if (run && link.revision === run.at(-1)!.revision + 1) run.push(link);
    else runs.push([link]);
  }
  return runs;
};

const shortened = (journal: string, found: readonly Difference[]): readonly Difference[] => {
  const named = found.slice(0, AUDIT_NAMED_MAX_RECORDS);
  const [next] = found.slice(named.length);
  if (!next) return found;
  const { revision } = next;
  const line = `${journal}: and ${found.length - named.length} more from revision ${revision} on`;
  return [...named, { revision, line }];
};
