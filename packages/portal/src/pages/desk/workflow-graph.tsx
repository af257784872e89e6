import type { JSX } from 'preact';
import { edges } from '../tickets/edges.ts';
import { stateName, type State } from '../tickets/words.tsx';

/** The position of each state in a drawing of 830 by 370. */
const PLACES: Readonly<Record<State, readonly [x: number, y: number]>> = {
  new: [70, 100],
  triaged: [260, 100],
  in_progress: [470, 100],
  waiting: [470, 230],
  resolved: [680, 100],
  reopened: [680, 230],
  closed: [680, 330],
  cancelled: [260, 330],
};
const [WIDTH, HEIGHT, HALF_WIDTH, HALF_HEIGHT] = [830, 370, 58, 19];

/** How far an edge bends that would otherwise cross a state or cover the reverse edge. */
const BENDS: Readonly<Record<string, number>> = {
  'triaged resolved': -40,
  'in_progress waiting': -22,
  'waiting in_progress': -22,
  'in_progress cancelled': 30,
  'reopened in_progress': 14,
  'resolved reopened': -22,
  'reopened resolved': -22,
  'resolved closed': -78,
};

/** The path between the edges of two boxes. */
const pathOf = (from: State, to: State): { line: string; middle: readonly [number, number] } => {
  const [x1, y1] = PLACES[from];
  const [x2, y2] = PLACES[to];
  const bend = BENDS[`${from} ${to}`] ?? 0;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const control = [
    (x1 + x2) / 2 + (-(y2 - y1) / length) * bend * 2,
    (y1 + y2) / 2 + ((x2 - x1) / length) * bend * 2,
  ] as const;
  const [ax, ay] = edgeOf([x1, y1], control);
  const [bx, by] = edgeOf([x2, y2], control);
  const middle = [(ax + 2 * control[0] + bx) / 4, (ay + 2 * control[1] + by) / 4] as const;
  return { line: `M${ax} ${ay}Q${control[0]} ${control[1]} ${bx} ${by}`, middle };
};

const edgeOf = (
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): readonly [number, number] => {
  const [dx, dy] = [toX - x, toY - y];
  const scale = Math.min(
    dx === 0 ? Infinity : (HALF_WIDTH + 5) / Math.abs(dx),
    dy === 0 ? Infinity : (HALF_HEIGHT + 5) / Math.abs(dy),
  );
  return [Math.round(x + dx * scale), Math.round(y + dy * scale)];
};

const states = Object.keys(PLACES) as readonly State[];

/** All transitions of the graph; those that the workflow allows are solid. A press toggles one. */
export const WorkflowGraph = ({
  label,
  isAllowed,
  onToggle,
}: {
  readonly label: string;
  readonly isAllowed: (from: State, to: State) => boolean;
  readonly onToggle: (from: State, to: State) => void;
}): JSX.Element => (
  <div class="graph-scroll">
    <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={label}>
      <defs>
        {['on', 'off'].map((state) => (
          <marker
            key={state}
            id={`way-${state}`}
            class={state}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="10"
            markerHeight="10"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        ))}
      </defs>
      {states.map((state) => {
        const [x, y] = PLACES[state];
        return (
          <g key={state} class="state" aria-hidden="true">
            <rect
              x={x - HALF_WIDTH}
              y={y - HALF_HEIGHT}
              width={HALF_WIDTH * 2}
              height={HALF_HEIGHT * 2}
              rx="9"
            />
            <text x={x} y={y + 5}>
              {stateName[state]}
            </text>
          </g>
        );
      })}
      {states.flatMap((from) =>
        edges[from].map((to) => {
          const { line, middle } = pathOf(from, to);
          const isOn = isAllowed(from, to);
          const name = `${stateName[from]} to ${stateName[to]}`;
          return (
            <g
              key={`${from} ${to}`}
              class={isOn ? 'edge on' : 'edge'}
              role="checkbox"
              tabindex={0}
              aria-checked={isOn}
              aria-label={name}
              onClick={() => onToggle(from, to)}
              onKeyDown={(event) => {
                if (event.key !== ' ' && event.key !== 'Enter') return;
                event.preventDefault();
                onToggle(from, to);
              }}
            >
              <title>{`${name}: ${isOn ? 'allowed' : 'not allowed'}`}</title>
              <path class="target" d={line} />
              <path class="line" d={line} marker-end={`url(#way-${isOn ? 'on' : 'off'})`} />
              <circle cx={middle[0]} cy={middle[1]} r="8" />
              <path
                class="mark"
                d={
                  isOn
                    ? `M${middle[0] - 4} ${middle[1]}l3 3l5 -6`
                    : `M${middle[0] - 3} ${middle[1] - 3}l6 6m0 -6l-6 6`
                }
              />
            </g>
          );
        }),
      )}
    </svg>
  </div>
);
