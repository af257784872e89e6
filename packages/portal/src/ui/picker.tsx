/** A single choice from a list, opened at its button and narrowed by typing (WAI-ARIA combobox). */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Option {
  readonly value: string;
  /** The text that is searched and announced. */
  readonly label: string;
  readonly hint?: ComponentChildren;
}

/** Options on screen; typing narrows the list. */
const SHOWN_MAX = 50;

/** The items whose label contains every word of the text, in any case and order. */
export const havingWords = <Item,>(
  items: readonly Item[],
  text: string,
  labelOf: (item: Item) => string,
): readonly Item[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const label = labelOf(item).toLowerCase();
    return words.every((word) => label.includes(word));
  });
};

export const narrowed = <One extends Option>(options: readonly One[], text: string) =>
  havingWords(options, text, ({ label }) => label).slice(0, SHOWN_MAX);

/**
 * An input with its options below. Arrow keys move, Enter chooses.
 *
 * @param onText For callers that narrow the options themselves.
 */
export const OptionList = <One extends Option>({
  label,
  options,
  chosen,
  startsAtChosen = false,
  onChoose,
  onText,
  placeholder,
}: {
  readonly label: string;
  readonly options: readonly One[];
  /** The current value. */
  readonly chosen?: string | null;
  /** Default: starts at the first. */
  readonly startsAtChosen?: boolean;
  readonly onChoose: (option: One) => void;
  readonly onText?: (text: string) => void;
  readonly placeholder?: string;
}): JSX.Element => {
  const id = useId();
  const [text, setText] = useState('');
  const shown = onText ? options : narrowed(options, text);
  const [at, setAt] = useState(() =>
    startsAtChosen
      ? Math.max(
          0,
          shown.findIndex(({ value }) => value === chosen),
        )
      : 0,
  );
  const active = Math.min(at, shown.length - 1);
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // A layout effect, so that the next key reaches the input.
  useLayoutEffect(() => input.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const move = (to: number) => {
    if (shown.length > 0) setAt((to + shown.length) % shown.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const option = shown[active];
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Enter: () => option && onChoose(option),
    };
    const run = moves[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  return (
    <div class="options">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        {...(shown[active] && { 'aria-activedescendant': `${id}-${active}` })}
        {...(placeholder !== undefined && { placeholder })}
        autocomplete="off"
        autofocus
        maxLength={200}
        value={text}
        onInput={(event) => {
          // A search is not unsaved input, which a dialog would ask about.
          event.stopPropagation();
          setText(event.currentTarget.value);
          setAt(0);
          onText?.(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
        {shown.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            class={option.value === chosen ? 'chosen' : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            <span>{option.label}</span>
            {option.hint}
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p class="faint small" role="status">
          Nothing found
        </p>
      )}
    </div>
  );
};

/** Below its button; Escape, Tab and a press elsewhere close it and give the focus back. */
export const Popover = ({
  anchor,
  label,
  onClose,
  children,
}: {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style, offsetWidth, offsetHeight } = box.current!;
    const { left, bottom, top } = anchor.getBoundingClientRect();
    const isBelow = bottom + offsetHeight <= innerHeight || top < offsetHeight;
    style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
    style.top = `${isBelow ? bottom + 4 : top - offsetHeight - 4}px`;
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) onClose();
    };
    addEventListener('pointerdown', outside, true);
    return () => removeEventListener('pointerdown', outside, true);
  }, []);
  return (
    <div
      ref={box}
      class="popover"
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Tab') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
    </div>
  );
};
