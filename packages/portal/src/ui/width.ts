import { useEffect, useRef, useState } from 'preact/hooks';

/** The least width of a drawing; in a narrower element it is scrolled or clipped. */
const WIDTH_MIN = 240;

/** The width of an element in pixels, updated when it changes. Until it is measured: 720. */
export const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(720);
  useEffect(() => {
    const at = ref.current!;
    const measure = () => setWidth(Math.max(WIDTH_MIN, at.clientWidth));
    const observed = new ResizeObserver(measure);
    observed.observe(at);
    return () => observed.disconnect();
  }, []);
  return [ref, width] as const;
};
