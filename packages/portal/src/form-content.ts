/** The content of a form on a record, and how it goes on after its command. */
import type { Conflict } from './merge.ts';

export type Values = Readonly<Record<string, string | boolean>>;

export interface Content<Of extends Values> {
  /** The record as it was when the form was opened, or as a conflict was resolved against. */
  readonly base: Of;
  /** `null` for a new record. */
  readonly revision: number | null;
  readonly values: Of;
  /** Conflicts to be resolved; `values` has the proposals. */
  readonly conflicts: readonly Conflict[];
  /** `Idempotency-Key` of a command with these values: retries are one command. */
  readonly commandId: string;
}

/** Content with values that no command has sent yet. */
export type Unsent<Of extends Values> = Omit<Content<Of>, 'commandId'>;

export const fresh = <Of extends Values>(base: Of, revision: number | null): Content<Of> => ({
  base,
  revision,
  values: base,
  conflicts: [],
  commandId: crypto.randomUUID(),
});

/**
 * The content after a command has succeeded. Keeps what was typed while it was in flight, on top of
 * what was sent: the stored record may have changes of others, which the next command merges.
 *
 * @param sent The values of the command.
 * @param next The record to go on with; its revision is `null` for a new one.
 */
export const restarted = <Of extends Values>(
  last: Content<Of>,
  sent: Of,
  next: Of,
  revision: number | null,
): Content<Of> => {
  if (last.values === sent) return fresh(next, revision);
  const start = revision === null ? fresh(next, null) : fresh(sent, last.revision);
  return { ...start, values: last.values };
};

export const changesOf = <Of extends Values>(base: Of, values: Of): Partial<Of> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== base[name]),
  ) as Partial<Of>;
