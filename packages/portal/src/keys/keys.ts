/**
 * The keyboard shortcuts of the pages: `c`, `g t`, `mod+k`. Components register the actions of
 * their page; help and the command palette list them. Single letters are inactive while the user
 * types, in a dialog, and where they are switched off (WCAG 2.1.4).
 */
import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';

export interface KeyAction {
  /** Keys in sequence: `g t`; `mod+` is Ctrl or Command. */
  readonly keys: string;
  /** The label of the action: `Assign`. */
  readonly words: string;
  /** Heading in the help. */
  readonly group: string;
  readonly run: () => void;
}

export interface Keyboard {
  /** @returns a function that unregisters. Of equal keys the latest registration wins. */
  readonly register: (actions: () => readonly KeyAction[]) => () => void;
  readonly actions: () => readonly KeyAction[];
  readonly isOn: () => boolean;
  /** Stored in this browser. Shortcuts with `mod+` stay on. */
  readonly switchOn: (isOn: boolean) => void;
  readonly close: () => void;
}

/** The longest time between the keys of a sequence. */
const SEQUENCE_MS = 1_500;
const SWITCH = 'atrium.keys';

const NOT_TYPED = new Set(['button', 'checkbox', 'radio', 'submit', 'reset', 'file']);

const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type);
  return target.isContentEditable || target.matches('textarea, select');
};

/** These elements handle Enter themselves. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, summary, input') !== null;

const nameOf = ({ key, ctrlKey, metaKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey ? 'mod+' : ''}${key.length === 1 ? key.toLowerCase() : key}`;

export const createKeyboard = (): Keyboard => {
  const registered = new Set<() => readonly KeyAction[]>();
  let pressed = '';
  let pressedAt = 0;

  const isOn = () => localStorage.getItem(SWITCH) !== 'off';
  const actions = () => [
    ...new Map(
      [...registered].flatMap((list) => list()).map((action) => [action.keys, action]),
    ).values(),
  ];
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const name = nameOf(event);
    const isModified = name.startsWith('mod+');
    if (document.querySelector('dialog[open]') !== null) return;
    if (!isModified && (isTyping(event.target) || !isOn())) return;
    if (name === 'Enter' && isPressable(event.target)) return;
    const isLater = event.timeStamp - pressedAt > SEQUENCE_MS;
    const available = actions();
    const sequence = isLater ? name : `${pressed} ${name}`.trim();
    const found =
      available.find(({ keys }) => keys === sequence) ??
      available.find(({ keys }) => keys === name);
    const isBegun = available.some(({ keys }) => keys.startsWith(`${name} `));
    pressed = found === undefined && isBegun ? name : '';
    pressedAt = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  };
  document.addEventListener('keydown', onKey);

  return {
    register(list) {
      registered.add(list);
      return () => registered.delete(list);
    },
    actions,
    isOn,
    switchOn: (on) => localStorage.setItem(SWITCH, on ? 'on' : 'off'),
    close: () => document.removeEventListener('keydown', onKey),
  };
};

export const KeyboardContext = createContext<Keyboard | null>(null);

export const useKeyboard = (): Keyboard => {
  const keyboard = useContext(KeyboardContext);
  if (keyboard === null) throw new Error('outside the shell');
  return keyboard;
};

/** Registers actions while the component is mounted. */
export const useKeys = (actions: readonly KeyAction[]): void => {
  const keyboard = useKeyboard();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => keyboard.register(() => latest.current), [keyboard]);
};
