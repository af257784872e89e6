/** Text of a field as it was typed, of which the document has only the value. */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

/** Counts the changes of the document from outside its editors: undone, merged, chosen. */
export const Replacements = createContext(0);

/** As `useState`, but begins again where the document was replaced. @param initial Of its value. */
export const useTyped = <Typed>(
  initial: () => Typed,
): readonly [typed: Typed, setTyped: (typed: Typed) => void] => {
  const times = useContext(Replacements);
  const [last, setLast] = useState(() => ({ times, typed: initial() }));
  const typed = last.times === times ? last.typed : initial();
  return [typed, (next) => setLast({ times, typed: next })];
};
