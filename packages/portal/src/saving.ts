/** Saves a form on a record that other users change too. contract.md section 1, `If-Match`. */
import { AtriumError } from '../../sdk/src/index.ts';
import { changesOf, type FormState, type Values } from './form.ts';
import type { Conflict } from './merge.ts';
import { mergeRecords, mergeTexts } from './merge.ts';

/** Attempts against concurrent changes before the failure is reported. */
const ATTEMPTS_MAX = 5;

export interface Saving<Of extends Values> {
  /** Sends the changed members. @throws AtriumError `PRECONDITION_FAILED` at a newer revision. */
  readonly send: (changed: Partial<Of>, revision: number) => Promise<unknown>;
  /** The current record. */
  readonly load: () => Promise<{ readonly values: Of; readonly revision: number }>;
  /** Members with a merged text as proposal; of the others one of the two versions is chosen. */
  readonly texts: readonly (keyof Of)[];
}

/**
 * Sends the changed members. Concurrent changes of other members are merged first; after a
 * concurrent change of the same member, nothing is sent and the form gets the conflicts.
 *
 * @returns whether it was saved; otherwise there are conflicts to resolve.
 */
export const saveForm = async <Of extends Values>(
  form: FormState<Of>,
  { send, load, texts }: Saving<Of>,
): Promise<boolean> => {
  let { base, values, revision } = form;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(changesOf(base, values), revision!);
      return true;
    } catch (error) {
      const isStale = AtriumError.is(error, 'PRECONDITION_FAILED');
      if (!isStale || attempt === ATTEMPTS_MAX) throw error;
    }
    const theirs = await load();
    const merged = mergeRecords(base, values, theirs.values);
    if (merged.conflicts.length > 0) {
      const conflicts = merged.conflicts.map((name) =>
        conflictOf(String(name), [base[name]!, values[name]!, theirs.values[name]!], {
          isText: texts.includes(name),
        }),
      );
      const proposed = conflicts.map(({ name, mine, merged }) => [name, merged ?? mine]);
      form.rebase({
        base: theirs.values,
        revision: theirs.revision,
        values: { ...merged.values, ...Object.fromEntries(proposed) },
        conflicts,
      });
      return false;
    }
    ({ values } = merged);
    [base, revision] = [theirs.values, theirs.revision];
  }
};

const conflictOf = (
  name: string,
  [base, mine, theirs]: readonly [Value, Value, Value],
  { isText }: { readonly isText: boolean },
): Conflict => {
  const merged = isText ? mergeTexts(String(base), String(mine), String(theirs)) : null;
  return { name, mine, theirs, merged };
};

type Value = Values[string];
