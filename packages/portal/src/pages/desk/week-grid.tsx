import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Calendar } from './document.ts';
import { closed, minutesIn, opened, timeOf, within, type Interval } from './intervals.ts';

export type Weekday = keyof Calendar['weekly'];

export const WEEKDAYS = [
  ['monday', 'Monday'],
  ['tuesday', 'Tuesday'],
  ['wednesday', 'Wednesday'],
  ['thursday', 'Thursday'],
  ['friday', 'Friday'],
  ['saturday', 'Saturday'],
  ['sunday', 'Sunday'],
] as const satisfies readonly (readonly [Weekday, string])[];

const SLOT_MINUTES = 30;
const SLOTS = 48;

interface Cell {
  readonly day: number;
  readonly slot: number;
}

interface Painting {
  readonly from: Cell;
  readonly to: Cell;
  /** Whether the drag opens or closes its cells. */
  readonly isOpening: boolean;
}

const slotOf = (slot: number): Interval => [slot * SLOT_MINUTES, (slot + 1) * SLOT_MINUTES];

const covers = ({ from, to }: Painting, { day, slot }: Cell): boolean =>
  day >= Math.min(from.day, to.day) &&
  day <= Math.max(from.day, to.day) &&
  slot >= Math.min(from.slot, to.slot) &&
  slot <= Math.max(from.slot, to.slot);

const STEPS: Readonly<Record<string, readonly [days: number, slots: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const clamped = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The hours of a week, painted by dragging, or by arrow keys and the space bar. */
export const WeekGrid = ({
  label,
  of,
  onDays,
}: {
  readonly label: string;
  readonly of: Calendar['weekly'];
  readonly onDays: (days: readonly (readonly [Weekday, readonly Interval[]])[]) => void;
}): JSX.Element => {
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Cell>({ day: 0, slot: 18 });
  const [painting, setPainting] = useState<Painting | null>(null);
  const days = WEEKDAYS.map(([day]) => minutesIn(of[day]));
  const isOpen = ({ day, slot }: Cell): boolean =>
    within(days[day]!, slotOf(slot)) === SLOT_MINUTES;
  const paint = ({ from, to, isOpening }: Painting) => {
    const span: Interval = [
      Math.min(from.slot, to.slot) * SLOT_MINUTES,
      (Math.max(from.slot, to.slot) + 1) * SLOT_MINUTES,
    ];
    const painted = WEEKDAYS.flatMap(([name], day) =>
      covers({ from, to, isOpening }, { day, slot: from.slot })
        ? [[name, (isOpening ? opened : closed)(days[day]!, span)] as const]
        : [],
    );
    onDays(painted);
  };
  const cellAt = (x: number, y: number): Cell | null => {
    const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-slot]');
    if (!cell || !grid.current?.contains(cell)) return null;
    return { day: Number(cell.dataset['day']), slot: Number(cell.dataset['slot']) };
  };
  const focus = (cell: Cell) => {
    setAt(cell);
    const place = `[data-day="${cell.day}"][data-slot="${cell.slot}"]`;
    grid.current?.querySelector<HTMLElement>(place)?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      paint({ from: at, to: at, isOpening: !isOpen(at) });
    } else if (step) {
      event.preventDefault();
      const next = { day: clamped(at.day + step[0], 6), slot: clamped(at.slot + step[1], 47) };
      if (event.shiftKey) paint({ from: at, to: next, isOpening: isOpen(at) });
      focus(next);
    }
  };
  return (
    <table
      ref={grid}
      class="week"
      role="grid"
      aria-label={label}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        const from = cellAt(event.clientX, event.clientY);
        // A touch drag scrolls the page; a touch presses a single cell.
        if (from === null || event.pointerType === 'touch' || event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        focus(from);
        setPainting({ from, to: from, isOpening: !isOpen(from) });
      }}
      onPointerMove={(event) => {
        const to = painting && cellAt(event.clientX, event.clientY);
        if (to) setPainting({ ...painting, to });
      }}
      onPointerUp={() => {
        if (painting) paint(painting);
        setPainting(null);
      }}
      onPointerCancel={() => setPainting(null)}
      onClick={(event) => {
        if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
        const cell = cellAt(event.clientX, event.clientY);
        if (cell) paint({ from: cell, to: cell, isOpening: !isOpen(cell) });
      }}
    >
      <thead>
        <tr>
          <td />
          {WEEKDAYS.map(([day, name]) => (
            <th key={day} scope="col">
              <abbr title={name}>{name.slice(0, 2)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: SLOTS }, (_, slot) => (
          <tr key={slot}>
            <th scope="row" class={slot % 2 === 0 ? undefined : 'half'}>
              <span class={slot % 2 === 0 ? undefined : 'visually-hidden'}>
                {timeOf(slot * SLOT_MINUTES)}
              </span>
            </th>
            {WEEKDAYS.map(([name, label], day) => {
              const minutes = within(days[day]!, slotOf(slot));
              const isPainted = painting !== null && covers(painting, { day, slot });
              const isFull = isPainted ? painting.isOpening : minutes === SLOT_MINUTES;
              const [from, until] = slotOf(slot);
              return (
                <td
                  key={name}
                  role="gridcell"
                  data-day={day}
                  data-slot={slot}
                  tabIndex={at.day === day && at.slot === slot ? 0 : -1}
                  aria-selected={isFull}
                  aria-label={`${label} ${timeOf(from)} to ${timeOf(until)}${
                    minutes > 0 && minutes < SLOT_MINUTES ? `, ${minutes} minutes open` : ''
                  }`}
                  class={isFull ? 'open' : minutes > 0 && !isPainted ? 'partly' : undefined}
                />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
