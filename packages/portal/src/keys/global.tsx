/** The keyboard shortcuts of every page: help, the palette, and one for each page. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Place } from '../navigation.ts';
import { go } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { KeysHelp } from './help.tsx';
import { useKeys, type KeyAction } from './keys.ts';
import { Palette } from './palette.tsx';

/** `g` and the first letter of the page's name that no earlier page uses. */
const wayTo = (places: readonly Place[]): readonly KeyAction[] => {
  const used = new Set<string>();
  return places.flatMap(({ path, name }) => {
    const letter = path.split('').find((character) => !used.has(character));
    if (letter === undefined) return [];
    used.add(letter);
    return [{ keys: `g ${letter}`, words: name, group: 'Go to', run: () => go([path]) }];
  });
};

/** Buttons in the page's header, for people without a keyboard. */
export const GlobalKeys = ({ places }: { readonly places: readonly Place[] }): JSX.Element => {
  const [opened, setOpened] = useState<'help' | 'palette' | null>(null);
  const group = 'Everywhere';
  useKeys([
    { keys: 'mod+k', words: 'Go to or do', group, run: () => setOpened('palette') },
    { keys: '?', words: 'Keys', group, run: () => setOpened('help') },
    ...wayTo(places),
  ]);
  return (
    <>
      <Button
        kind="quiet"
        icon="search"
        label="Go to or do (Ctrl K)"
        onPress={() => setOpened('palette')}
      />
      {opened === 'palette' && <Palette places={places} onClose={() => setOpened(null)} />}
      {opened === 'help' && <KeysHelp onClose={() => setOpened(null)} />}
    </>
  );
};
