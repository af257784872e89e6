import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepInTopDialog } from './top-dialog.ts';

/** How long screen readers take to register an inserted status region, in milliseconds. */
const INSERTED_MS = 100;

/** The latest confirmation, where a screen reader announces it, behind an open dialog too. */
export const Said = ({ words }: { readonly words: string }): null => {
  const [region] = useState(() => document.createElement('p'));
  const latest = useRef(words);
  const inserting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (shown: string) => {
    region.className = `said${shown && ' shown'}`;
    region.textContent = shown;
  };
  useLayoutEffect(() => {
    region.setAttribute('role', 'status');
    const stop = keepInTopDialog(region, () => {
      // Words that are inserted with their region are not announced, only a later change is.
      show('');
      clearTimeout(inserting.current);
      inserting.current = setTimeout(() => {
        inserting.current = undefined;
        show(latest.current);
      }, INSERTED_MS);
    });
    return () => {
      clearTimeout(inserting.current);
      stop();
    };
  }, [region]);
  useLayoutEffect(() => {
    latest.current = words;
    if (!inserting.current) show(words);
  }, [region, words]);
  return null;
};
