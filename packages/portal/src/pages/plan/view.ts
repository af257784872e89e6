/**
 * The viewport of a plan. Panning and zooming change one `transform`, once per frame: no room is
 * rendered again.
 */
import type { Box } from './geometry.ts';

export interface PlanView {
  readonly panBy: (dx: number, dy: number) => void;
  /** Zooms around the centre of the screen. */
  readonly zoomBy: (factor: number) => void;
  /** Shows the whole plan. */
  readonly fit: () => void;
  /** Pans to a box that is out of sight. */
  readonly reveal: (box: Box) => void;
  readonly close: () => void;
}

/** The padding in pixels around a plan that is shown whole. */
const EDGE = 16;
/** Limits relative to the scale at which the whole plan fits. */
const ZOOM_MIN = 0.5;
const ZOOM_MAX = 60;
/** The distance in pixels from which a press is a drag. */
const DRAG_MIN = 4;
/** The debounce of scale changes, in milliseconds. */
const REST_MS = 120;
/** A larger change of the scale is not debounced: labels must be resized at once. */
const DRIFT_MAX = 2;
const WHEEL_STEP = 0.0016;
/** Pixels per line, for a wheel that counts lines. */
const LINE = 16;

/**
 * @param svg Its `viewBox` is its size in pixels.
 * @param world The group that holds the plan in metres.
 * @param box What is shown first, in metres.
 * @param onRest Called with the pixels per metre once the scale has stopped changing.
 */
export const openView = (
  svg: SVGSVGElement,
  world: SVGGElement,
  box: Box,
  onRest: (scale: number) => void,
): PlanView => {
  let [scale, left, top] = [1, 0, 0];
  let [smallest, rested] = [1, 1];
  let isFitted = true;
  let frame = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const pointers = new Map<number, { readonly x: number; readonly y: number }>();
  let travelled = 0;

  const size = () => ({ width: svg.clientWidth || 1, height: svg.clientHeight || 1 });
  const draw = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      world.setAttribute('transform', `matrix(${scale} 0 0 ${scale} ${left} ${top})`);
    });
  };
  const rest = (ms = REST_MS) => {
    clearTimeout(resting);
    const drift = Math.max(scale / rested, rested / scale);
    const settle = () => {
      rested = scale;
      onRest(scale);
    };
    if (drift > DRIFT_MAX) settle();
    else resting = setTimeout(settle, ms);
  };
  const fit = () => {
    const { width, height } = size();
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const inner = [Math.max(1, width - 2 * EDGE), Math.max(1, height - 2 * EDGE)] as const;
    smallest = Math.min(inner[0] / Math.max(box.width, 0.1), inner[1] / Math.max(box.height, 0.1));
    scale = smallest;
    left = width / 2 - scale * (box.x + box.width / 2);
    top = height / 2 - scale * (box.y + box.height / 2);
    isFitted = true;
    draw();
    rest(0);
  };
  const panBy = (dx: number, dy: number) => {
    left += dx;
    top += dy;
    isFitted = false;
    draw();
  };
  const zoomAt = (factor: number, x: number, y: number) => {
    const next = Math.min(smallest * ZOOM_MAX, Math.max(smallest * ZOOM_MIN, scale * factor));
    left = x - ((x - left) * next) / scale;
    top = y - ((y - top) * next) / scale;
    scale = next;
    isFitted = false;
    draw();
    rest();
  };
  const zoomBy = (factor: number) => {
    const { width, height } = size();
    zoomAt(factor, width / 2, height / 2);
  };
  const reveal = ({ x, y, width, height }: Box) => {
    const [midX, midY] = [left + scale * (x + width / 2), top + scale * (y + height / 2)];
    const shown = size();
    const isInside = midX > 0 && midY > 0 && midX < shown.width && midY < shown.height;
    if (!isInside) panBy(shown.width / 2 - midX, shown.height / 2 - midY);
  };

  const placeOf = ({ clientX, clientY }: MouseEvent) => {
    const { left: x, top: y } = svg.getBoundingClientRect();
    return { x: clientX - x, y: clientY - y };
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
    const { x, y } = placeOf(event);
    // A pinch on a touch pad arrives as a wheel event with Ctrl, in small steps.
    const step = WHEEL_STEP * (event.ctrlKey ? 6 : 1);
    zoomAt(Math.exp(-event.deltaY * lines * step), x, y);
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, placeOf(event));
    if (pointers.size === 1) travelled = 0;
  };
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = placeOf(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (travelled < DRAG_MIN) return;
    pointers.set(event.pointerId, now);
    svg.setPointerCapture(event.pointerId);
    svg.dataset['dragged'] = '';
    if (other === undefined) return panBy(now.x - before.x, now.y - before.y);
    const [was, is] = [before, now].map(({ x, y }) => Math.hypot(x - other.x, y - other.y));
    panBy((now.x - before.x) / 2, (now.y - before.y) / 2);
    zoomAt(is! / Math.max(was!, 1), (now.x + other.x) / 2, (now.y + other.y) / 2);
  };
  const onUp = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    // The click event follows the end of the drag.
    if (pointers.size === 0) setTimeout(() => delete svg.dataset['dragged']);
  };
  const onClick = (event: Event) => {
    if ('dragged' in svg.dataset) event.stopImmediatePropagation();
  };
  const sized = new ResizeObserver(() => {
    if (isFitted) return fit();
    const { width, height } = size();
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  });

  const leaving = new AbortController();
  const { signal } = leaving;
  svg.addEventListener('wheel', onWheel, { signal, passive: false });
  svg.addEventListener('pointerdown', onDown, { signal });
  svg.addEventListener('pointermove', onMove, { signal });
  svg.addEventListener('pointerup', onUp, { signal });
  svg.addEventListener('pointercancel', onUp, { signal });
  svg.addEventListener('click', onClick, { signal, capture: true });
  fit();
  sized.observe(svg);

  return {
    panBy,
    zoomBy,
    fit,
    reveal,
    close() {
      leaving.abort();
      sized.disconnect();
      cancelAnimationFrame(frame);
      clearTimeout(resting);
    },
  };
};
