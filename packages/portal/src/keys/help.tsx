import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../ui/controls.tsx';
import { CheckField } from '../ui/fields.tsx';
import { useKeyboard } from './keys.ts';

const NAMES: Readonly<Record<string, string>> = { 'mod+k': 'Ctrl K' };

/** Keys as they are printed on a keyboard: `G T`, `Ctrl K`. */
export const Keys = ({ of }: { readonly of: string }): JSX.Element => (
  <span class="keys">
    {(NAMES[of] ?? of).split(' ').map((key, at) => (
      <kbd key={at}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
    ))}
  </span>
);

/** Every shortcut of the current page, and the switch for those without Ctrl. */
export const KeysHelp = ({ onClose }: { readonly onClose: () => void }): JSX.Element => {
  const keyboard = useKeyboard();
  const [isOn, setOn] = useState(keyboard.isOn());
  const groups = Map.groupBy(keyboard.actions(), ({ group }) => group);
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <div class="keys-help">
        {[...groups].map(([group, actions]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {actions.map(({ keys, words }) => (
                <div key={keys}>
                  <dt>
                    <Keys of={keys} />
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {/* The setting is saved at once: the dialog must not treat it as unsaved input. */}
      <div onInput={(event) => event.stopPropagation()}>
        <CheckField
          label="Single letters are keys"
          isChecked={isOn}
          onValue={(on) => {
            keyboard.switchOn(on);
            setOn(on);
          }}
        />
      </div>
    </Dialog>
  );
};
