/**
 * Fields with a text that is no value yet: the document still has their last value, so it cannot be
 * saved.
 */
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

/** Adds to the number of these fields. */
export const HalfTyped = createContext<(count: number) => void>(() => undefined);

export const useHalfTyped = (isHalfTyped: boolean): void => {
  const add = useContext(HalfTyped);
  useEffect(() => {
    if (!isHalfTyped) return;
    add(1);
    return () => add(-1);
  }, [add, isHalfTyped]);
};
