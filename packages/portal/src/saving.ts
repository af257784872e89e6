/** Saves a form on a record that other users change too. contract.md section 1, `If-Match`. */
import { AtriumError } from '../../sdk/src/index.ts';
import { changesOf, type Values } from './form-content.ts';
import type { FormState } from './form.ts';
import { mergeRecords } from './merge.ts';
import { rebased, type Current } from './rebased.ts';

/** Attempts against concurrent changes before the failure is reported. */
const ATTEMPTS_MAX = 5;

export interface Saving<Of extends Values> {
  /** Sends the changed members. @throws AtriumError `PRECONDITION_FAILED` at a newer revision. */
  readonly send: (changed: Partial<Of>, revision: number) => Promise<unknown>;
  /** The current record. */
  readonly load: () => Promise<Current<Of>>;
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
  form: Pick<FormState<Of>, 'base' | 'values' | 'revision' | 'rebase'>,
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
      form.rebase((last) => rebased(last, theirs, texts));
      return false;
    }
    ({ values } = merged);
    [base, revision] = [theirs.values, theirs.revision];
  }
};
