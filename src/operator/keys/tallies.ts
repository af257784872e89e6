import { createHash } from 'node:crypto';
import type { Instant } from '../../domain/decider.ts';
import type { AuditAction, AuditRow } from '../../projections/keys/key-audit.ts';

/** How many records there are, and what is in them, whatever their order. */
interface Tally {
  count: number;
  readonly content: Buffer;
}

/** A selection of the audit, one that a reader can ask for. */
export interface Selected {
  readonly organisation: string | null;
  readonly month?: string;
  readonly action?: AuditAction;
  readonly outcome?: AuditRow['outcome'];
  readonly keyId?: string;
}

/**
 * Records counted by the selections that they are in. Small, however many records there are: two
 * of these can be compared where the records themselves would not fit.
 */
export class Tallies {
  readonly #tallies = new Map<string, Tally>();
  readonly #lastUses = new Map<string, Instant>();

  add(row: AuditRow, selections: readonly Selected[]): void {
    const hash = createHash('sha256')
      .update(JSON.stringify(contentOf(row)))
      .digest();
    for (const selected of selections) {
      const name = nameOf(selected);
      const tally = this.#tallies.get(name) ?? { count: 0, content: Buffer.alloc(hash.length) };
      tally.count += 1;
      for (const [at, byte] of hash.entries()) tally.content[at]! ^= byte;
      this.#tallies.set(name, tally);
    }
  }

  /** An allowed use; the latest of a key is what counts. */
  used(organisation: string, keyId: string, at: Instant): void {
    const name = nameOf({ organisation, keyId });
    if (at > (this.#lastUses.get(name) ?? '')) this.#lastUses.set(name, at);
  }

  lastUse(organisation: string, keyId: string): Instant | null {
    return this.#lastUses.get(nameOf({ organisation, keyId })) ?? null;
  }

  /** All selections that hold anything. */
  selections(): readonly Selected[] {
    return [...this.#tallies.keys()].map((name) => JSON.parse(name) as Selected);
  }

  /** What differs between the two, in words; `null` where nothing does. */
  difference(selected: Selected, other: Tallies): string | null {
    const [mine, its] = [this.#of(selected), other.#of(selected)];
    if (mine.count !== its.count) {
      return `the log has ${mine.count} records, the audit shows ${its.count}`;
    }
    if (mine.content.equals(its.content)) return null;
    return `log and audit have ${mine.count} records each, but not the same ones`;
  }

  count(selected: Selected): number {
    return this.#of(selected).count;
  }

  #of(selected: Selected): Tally {
    return this.#tallies.get(nameOf(selected)) ?? { count: 0, content: Buffer.alloc(32) };
  }
}

/** The unfiltered list of an organisation, by month, so that a difference has a place. */
export const monthOf = ({ organisationId, at }: AuditRow): Selected => ({
  organisation: organisationId,
  month: at.slice(0, 7),
});

/** The filtered lists that the record is in. */
export const filtersOf = ({ organisationId, action, outcome, keyId }: AuditRow): Selected[] => {
  const organisation = organisationId;
  return [
    { organisation, action },
    { organisation, outcome },
    ...(keyId === null ? [] : [{ organisation, keyId }]),
  ];
};

const nameOf = ({ organisation, month, action, outcome, keyId }: Selected): string =>
  JSON.stringify({ organisation, month, action, outcome, keyId });

/** Members in one order, wherever the record was read. */
const contentOf = (row: AuditRow): readonly unknown[] => [
  row.id,
  row.at,
  row.organisationId,
  row.action,
  row.outcome,
  row.reason,
  row.keyId,
  row.label,
  row.scope,
  row.expiresAt,
  row.actor && [row.actor.kind, row.actor.id, row.actor.name ?? null],
  row.route,
  row.sourceIp,
  row.userAgent,
  row.count,
  row.firstAt,
  row.lastAt,
];
