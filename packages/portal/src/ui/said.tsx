import { useLayoutEffect, useState } from 'preact/hooks';
import { keepInTopDialog } from './top-dialog.ts';

/** The latest confirmation, where a screen reader announces it, behind an open dialog too. */
export const Said = ({ words }: { readonly words: string }): null => {
  const [region] = useState(() => document.createElement('p'));
  useLayoutEffect(() => {
    region.setAttribute('role', 'status');
    return keepInTopDialog(region);
  }, [region]);
  useLayoutEffect(() => {
    region.className = `said${words && ' shown'}`;
    region.textContent = words;
  }, [region, words]);
  return null;
};
