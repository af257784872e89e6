/**
 * Fields with a text that is no value yet: the document still has their last value, so it cannot be
 * saved, and the text is lost when the field is closed.
 */
import { createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { DialogContext, useUnsaved, useUnsavedInput } from '../../ui/unsaved.tsx';

/** Adds to the number of these fields. */
export const HalfTyped = createContext<(count: number) => void>(() => undefined);

export const useHalfTyped = (isHalfTyped: boolean, discard: () => void): void => {
  const add = useContext(HalfTyped);
  useUnsaved(isHalfTyped, discard);
  // A layout effect: the document cannot be saved in the meantime.
  useLayoutEffect(() => {
    if (!isHalfTyped) return;
    add(1);
    return () => add(-1);
  }, [add, isHalfTyped]);
};

/** Closes fields, after the question if one of them is half typed. */
export const useClosing = (): ((close: () => void) => void) => {
  const { ask } = useUnsavedInput();
  const inputs = useContext(DialogContext)?.inputs;
  return (close) => (inputs && inputs.size > 0 ? ask(inputs, close) : close());
};
