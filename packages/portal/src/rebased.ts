/** The content of a form whose record was changed by others. */
import type { Unsent, Values } from './form-content.ts';
import { mergeRecords, mergeTexts, type Conflict } from './merge.ts';

/** A record as the server has it now. */
export interface Current<Of extends Values> {
  readonly values: Of;
  readonly revision: number;
}

/**
 * The content on a newer record, after a command was refused because of it. Earlier conflicts stay,
 * so that the text which their choice replaces is not forgotten.
 *
 * @param texts Members with a merged text as proposal; of the others one version is chosen.
 */
export const rebased = <Of extends Values>(
  { base, values, conflicts: earlier }: Unsent<Of>,
  theirs: Current<Of>,
  texts: readonly (keyof Of)[],
): Unsent<Of> => {
  const merged = mergeRecords(base, values, theirs.values);
  const conflicts = merged.conflicts.map((name) =>
    conflictOf(String(name), [base[name]!, values[name]!, theirs.values[name]!], {
      isText: texts.includes(name),
    }),
  );
  const proposed = conflicts.map(({ name, mine, merged }) => [name, merged ?? mine]);
  const settled = earlier.filter(({ name }) => !merged.conflicts.includes(name));
  return {
    base: theirs.values,
    revision: theirs.revision,
    values: { ...merged.values, ...Object.fromEntries(proposed) },
    conflicts: [...conflicts, ...settled.map((one) => against(one, theirs.values[one.name]!))],
  };
};

const conflictOf = (
  name: string,
  [base, mine, theirs]: readonly [Value, Value, Value],
  { isText }: { readonly isText: boolean },
): Conflict => {
  const merged = isText ? mergeTexts(String(base), String(mine), String(theirs)) : null;
  return { name, mine, theirs, merged };
};

/** The conflict with their current version, which the merged text may not have. */
const against = (conflict: Conflict, theirs: Value): Conflict =>
  theirs === conflict.theirs ? conflict : { ...conflict, theirs, merged: null };

type Value = Values[string];
