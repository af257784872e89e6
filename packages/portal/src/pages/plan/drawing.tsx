/**
 * A storey as a drawing that can be panned and zoomed. The list of rooms has the same data as text.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { useKeys } from '../../keys/keys.ts';
import { boxOf, pathOf, pathsOf, type Outline } from './geometry.ts';
import { Labels, labelsOf } from './labels.tsx';
import { Hatches } from './hatches.tsx';
import type { Space, StoreyPlan } from './storey-plan.ts';
import { NorthArrow, ScaleBar } from './scale.tsx';
import { openView, type PlanView } from './view.ts';

const ZOOM = 1.5;
const PAN = 60;

export const Drawing = ({
  plan,
  label,
  paint,
  hot,
  chosen,
  onHot,
  onChoose,
  children,
}: {
  readonly plan: StoreyPlan;
  readonly label: string;
  /** Classes by room. */
  readonly paint: ReadonlyMap<string, string>;
  /** The room under the pointer, or active in the list. */
  readonly hot: Space | null;
  readonly chosen: Space | null;
  readonly onHot: (space: Space | null) => void;
  readonly onChoose: (space: Space) => void;
  /** Overlays. */
  readonly children?: ComponentChildren;
}): JSX.Element => {
  const svg = useRef<SVGSVGElement>(null);
  const world = useRef<SVGGElement>(null);
  const view = useRef<PlanView>(null);
  const tip = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState<number | null>(null);
  const letters = svg.current ? Number.parseFloat(getComputedStyle(svg.current).fontSize) : 0;
  const byId = useMemo(() => new Map(plan.spaces.map((space) => [space.id, space])), [plan]);
  const storeyId = plan.storey.id;
  const bounds = JSON.stringify(plan.bounds);
  useLayoutEffect(() => {
    if (plan.bounds === null) return;
    view.current = openView(svg.current!, world.current!, boxOf(plan.bounds), setScale);
    return () => view.current?.close();
  }, [storeyId, bounds]);
  usePaint(world, plan, paint);
  useEffect(() => {
    if (chosen?.outline) view.current?.reveal(boxAround(chosen.outline));
  }, [chosen]);

  const group = 'Plan';
  const zoomIn = () => view.current?.zoomBy(ZOOM);
  const zoomOut = () => view.current?.zoomBy(1 / ZOOM);
  const fit = () => view.current?.fit();
  useKeys([
    { keys: '+', words: 'Zoom in', group, run: zoomIn },
    { keys: '-', words: 'Zoom out', group, run: zoomOut },
    { keys: '0', words: 'Show all of the plan', group, run: fit },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [PAN, 0],
      ArrowRight: [-PAN, 0],
      ArrowUp: [0, PAN],
      ArrowDown: [0, -PAN],
    };
    const move = moves[event.key];
    if (move === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    view.current?.panBy(...move);
  };
  const spaceAt = (event: Event): Space | null => {
    const room = (event.target as Element).closest<SVGElement>('[data-room]');
    return byId.get(room?.dataset['room'] ?? '') ?? null;
  };
  const onPointerMove = (event: PointerEvent) => {
    if ('dragged' in svg.current!.dataset) return;
    const space = spaceAt(event);
    if (space !== hot) onHot(space);
    const { left, top, width } = svg.current!.getBoundingClientRect();
    const style = tip.current?.style;
    style?.setProperty('--x', `${Math.min(event.clientX - left, width - 160)}px`);
    style?.setProperty('--y', `${event.clientY - top}px`);
  };
  return (
    <div class="plan-canvas" role="group" aria-label={label} tabIndex={0} onKeyDown={onKeyDown}>
      <svg
        ref={svg}
        role="img"
        aria-label={label}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onHot(null)}
        onClick={(event) => {
          const space = spaceAt(event);
          if (space !== null) onChoose(space);
        }}
      >
        <Hatches />
        <g ref={world} class="plan-world" style={{ '--px': 1 / (scale ?? 1) }}>
          {useMemo(
            () => (
              <Shapes of={plan} />
            ),
            [plan],
          )}
          <Mark of={hot} kind="hot" />
          <Mark of={chosen} kind="chosen" />
          <Names of={plan.spaces} scale={scale} letters={letters} />
        </g>
      </svg>
      <div ref={tip} class="plan-tip" hidden={hot === null} aria-hidden="true">
        {hot && children}
      </div>
      <div class="plan-buttons" role="group" aria-label="Zoom">
        <Button icon="plus" label="Zoom in" onPress={zoomIn} />
        <Button icon="minus" label="Zoom out" onPress={zoomOut} />
        <Button icon="fit" label="Show all" onPress={fit} />
      </div>
      <NorthArrow degrees={plan.north} />
      {scale !== null && !plan.schematic && <ScaleBar scale={scale} />}
    </div>
  );
};

const boxAround = ([ring = []]: Outline) => {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return boxOf({
    min: [Math.min(...xs), Math.min(...ys)],
    max: [Math.max(...xs), Math.max(...ys)],
  });
};

const Shapes = ({ of }: { readonly of: StoreyPlan }): JSX.Element => (
  <>
    {of.outline && <path class="plan-storey" d={pathOf(of.outline)} />}
    <g class="plan-rooms">
      {of.spaces.map(
        ({ id, outline }) =>
          outline && <path key={id} data-room={id} class={ROOM} d={pathOf(outline)} />,
      )}
    </g>
    <path class="plan-walls" d={pathsOf(of.walls)} />
    <path class="plan-windows" d={pathsOf(of.windows)} />
    <path class="plan-doors" d={pathsOf(of.doors)} />
  </>
);

const ROOM = 'plan-room';

/**
 * Updates only the classes that differ: of the hundreds of rooms of a storey few change at a time.
 */
const usePaint = (
  world: { readonly current: SVGGElement | null },
  plan: StoreyPlan,
  paint: ReadonlyMap<string, string>,
): void => {
  const painted = useRef<{ plan: StoreyPlan; rooms: readonly Painted[] } | null>(null);
  useLayoutEffect(() => {
    if (painted.current?.plan !== plan) {
      const rooms = [...world.current!.querySelectorAll<SVGPathElement>('[data-room]')];
      painted.current = { plan, rooms: rooms.map((path) => ({ path, shade: '' })) };
    }
    for (const room of painted.current.rooms) {
      const shade = paint.get(room.path.dataset['room']!) ?? '';
      if (shade === room.shade) continue;
      room.shade = shade;
      room.path.setAttribute('class', `${ROOM} ${shade}`);
    }
  }, [plan, paint]);
};

interface Painted {
  readonly path: SVGPathElement;
  shade: string;
}

const Mark = ({
  of,
  kind,
}: {
  readonly of: Space | null;
  readonly kind: 'hot' | 'chosen';
}): JSX.Element | null =>
  of?.outline ? <path class={`plan-${kind}`} d={pathOf(of.outline)} /> : null;

const Names = ({
  of,
  scale,
  letters,
}: {
  readonly of: readonly Space[];
  readonly scale: number | null;
  /** The font size in pixels. */
  readonly letters: number;
}): JSX.Element | null => {
  const labels = useMemo(() => labelsOf(of), [of]);
  return useMemo(
    () => (scale === null ? null : <Labels of={labels} scale={scale} pixels={letters} />),
    [labels, scale, letters],
  );
};
