/** A list whose order matters, reordered by drag and drop and by keyboard. */
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { Icon } from '../../ui/icons.tsx';

const ITEM = '[data-item]';
const HANDLE = '[data-handle]';

/** Reorders the rows of a table, or the items of another element. */
export interface Reorder<List extends HTMLElement = HTMLElement> {
  /** The element that contains the items, each with `data-item`. */
  readonly list: RefObject<List | null>;
  /** The dragged item and its drop position; `null`: no drag. */
  readonly drag: { readonly from: number; readonly to: number } | null;
  readonly setDrag: (drag: Reorder['drag']) => void;
  readonly move: (from: number, to: number, name: string) => void;
  readonly count: number;
}

export const useReorder = <List extends HTMLElement = HTMLTableSectionElement>(
  count: number,
  onMove: (from: number, to: number) => void,
): Reorder<List> => {
  const { say } = usePortal();
  const list = useRef<List>(null);
  const focused = useRef<number | null>(null);
  const [drag, setDrag] = useState<Reorder['drag']>(null);
  useLayoutEffect(() => {
    if (focused.current === null) return;
    list.current?.querySelectorAll<HTMLElement>(HANDLE)[focused.current]?.focus();
    focused.current = null;
  });
  const move = (from: number, to: number, name: string) => {
    if (to === from || to < 0 || to >= count) return;
    focused.current = to;
    onMove(from, to);
    say(`“${name}” is number ${to + 1} of ${count}.`);
  };
  return { list, drag, setDrag, move, count };
};

/** The drop position of an item at this height. */
const placeAt = (list: HTMLElement, y: number, from: number): number => {
  const above = [...list.querySelectorAll(ITEM)].filter((item, at) => {
    const { top, height } = item.getBoundingClientRect();
    return at !== from && top + height / 2 < y;
  });
  return above.length;
};

const KEYS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

export const Handle = ({
  of: { list, drag, setDrag, move, count },
  at,
  name,
}: {
  readonly of: Reorder;
  readonly at: number;
  readonly name: string;
}): JSX.Element => (
  <button
    type="button"
    class="button quiet handle"
    data-handle
    aria-label={`Move ${name}, number ${at + 1} of ${count}: arrow up or down`}
    title="Drag, or arrow up and down"
    onKeyDown={(event) => {
      const step = KEYS[event.key];
      if (event.key === 'Escape') setDrag(null);
      if (step === undefined) return;
      event.preventDefault();
      move(at, at + step, name);
    }}
    onPointerDown={(event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: at, to: at });
    }}
    onPointerMove={(event) => {
      if (drag === null || list.current === null) return;
      setDrag({ from: at, to: placeAt(list.current, event.clientY, at) });
    }}
    onPointerUp={() => {
      if (drag !== null) move(drag.from, drag.to, name);
      setDrag(null);
    }}
    onPointerCancel={() => setDrag(null)}
  >
    <Icon name="menu" />
  </button>
);

/** The class that marks the drop position. */
export const dropClass = ({ drag }: Reorder, at: number): string => {
  if (drag === null) return '';
  if (drag.from === at) return ' dragged';
  if (drag.to !== at) return '';
  return drag.from < at ? ' drop-after' : ' drop-before';
};
