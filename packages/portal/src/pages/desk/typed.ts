/** Text of a field as it was typed, of which the document has only the value. */
import { useState } from 'preact/hooks';
import { equal } from '../../merge.ts';
import { useHalfTyped } from './half-typed.ts';

interface TypedParts<Value, Typed> {
  /** The value in the document. */
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly typedOf: (value: Value) => Typed;
  /** `null`: it is no value yet. */
  readonly read: (typed: Typed) => { readonly value: Value } | null;
}

export interface TypedField<Typed> {
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
  /** The typed text is no value: the document still has the last one. */
  readonly isHalfTyped: boolean;
}

/** Keeps what is typed until its value in the document is replaced: undone, merged, chosen. */
export const useTyped = <Value, Typed>({
  value,
  onValue,
  typedOf,
  read,
}: TypedParts<Value, Typed>): TypedField<Typed> => {
  const [last, setLast] = useState(() => ({ value, typed: typedOf(value) }));
  const isReplaced = !equal(last.value, value);
  const { typed } = isReplaced ? { typed: typedOf(value) } : last;
  if (isReplaced) setLast({ value, typed });
  const isHalfTyped = read(typed) === null;
  useHalfTyped(isHalfTyped, () => setLast({ value, typed: typedOf(value) }));
  return {
    typed,
    isHalfTyped,
    onTyped(next) {
      const found = read(next);
      setLast({ value: found ? found.value : value, typed: next });
      if (found) onValue(found.value);
    },
  };
};
