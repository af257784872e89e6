/** The rooms of a storey as a list: the text equivalent of the plan's colours. */
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { havingWords } from '../../ui/picker.tsx';
import type { Space } from './storey-plan.ts';

const labelOf = ({ code, name }: Space): string => `${code} ${name}`;

/** Arrow keys move, Enter opens. The plan marks the active room. */
export const RoomList = ({
  spaces,
  storey,
  valueOf,
  hot,
  chosen,
  onHot,
  onChoose,
}: {
  readonly spaces: readonly Space[];
  readonly storey: string;
  /** The coloured value of the room as text. */
  readonly valueOf: (space: Space) => string;
  readonly hot: Space | null;
  readonly chosen: Space | null;
  readonly onHot: (space: Space | null) => void;
  readonly onChoose: (space: Space) => void;
}): JSX.Element => {
  const id = useId();
  const [text, setText] = useState('');
  const shown = useMemo(() => havingWords(spaces, text, labelOf), [spaces, text]);
  const list = useRef<HTMLUListElement>(null);
  const active = hot ?? chosen;
  const at = shown.findIndex((space) => space.id === active?.id);
  useLayoutEffect(() => {
    const option = list.current?.children[at];
    if (option instanceof HTMLElement) reveal(list.current!, option);
  }, [at]);
  const move = (to: number) => onHot(shown[(to + shown.length) % shown.length] ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at < 0 ? -1 : at - 1),
      Enter: () => shown[at] && onChoose(shown[at]),
    };
    const run = moves[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const label = `Rooms of ${storey}`;
  return (
    <Card title="Rooms" actions={<span class="faint small">{count(shown, spaces)}</span>}>
      <div class="options plan-rooms-list">
        <input
          type="text"
          role="combobox"
          aria-label="Search a room"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          {...(at >= 0 && { 'aria-activedescendant': `${id}-${at}` })}
          placeholder="Code or name"
          autocomplete="off"
          maxLength={200}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => onHot(null)}
        />
        <ul ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
          {shown.map((space, index) => (
            <li
              key={space.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={space.id === chosen?.id}
              class={index === at ? 'active' : undefined}
              onMouseDown={(event) => event.preventDefault()}
              onPointerEnter={() => onHot(space)}
              onPointerLeave={() => onHot(null)}
              onClick={() => onChoose(space)}
            >
              <span>
                <span class="faint small">{space.code}</span> {space.name}
              </span>
              <span class="small nowrap">
                {valueOf(space)}
                {space.outline === null && <span class="faint"> no outline</span>}
              </span>
            </li>
          ))}
        </ul>
        {shown.length === 0 && (
          <p class="faint small" role="status">
            Nothing found
          </p>
        )}
      </div>
    </Card>
  );
};

const count = (shown: readonly Space[], spaces: readonly Space[]): string =>
  shown.length === spaces.length
    ? spaces.length.toLocaleString('en')
    : `${shown.length.toLocaleString('en')} of ${spaces.length.toLocaleString('en')}`;

/** Scrolls within the list only, not the page. */
const reveal = (list: HTMLElement, option: HTMLElement): void => {
  const top = option.offsetTop - list.offsetTop;
  const bottom = top + option.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
};
