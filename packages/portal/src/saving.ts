/**
 * Saving a form on a record that others change too. contract.md section 1, `If-Match`.
 */
import { AtriumError } from '../../sdk/src/index.ts';
import { changesOf, type Conflict, type FormState, type Values } from './form.ts';
import { mergeRecords, mergeTexts } from './merge.ts';

/** Saves that lost a race against another, before that is reported. */
const ATTEMPTS_MAX = 5;

export interface Saving<Of extends Values> {
  /** Sends the changed members. @throws AtriumError `PRECONDITION_FAILED` at a newer revision. */
  readonly send: (changed: Partial<Of>, revision: number) => Promise<unknown>;
  /** The record as it is now. */
  readonly load: () => Promise<{ readonly values: Of; readonly revision: number }>;
  /** Members for which a merged text is proposed; of others one of the two is chosen. */
  readonly texts: readonly (keyof Of)[];
}

/**
 * Sends what was changed. Where somebody else has changed other members meanwhile, it is sent on
 * top of that; where it was the same member, nothing is sent and the form has the conflicts.
 *
 * @returns whether it is saved; otherwise there are conflicts to decide.
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
