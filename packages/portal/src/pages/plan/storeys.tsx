/** The storeys as a stack of small plans, each loaded when it is scrolled into view. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useKeys } from '../../keys/keys.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { boxOf, pathsOf } from './geometry.ts';
import { loadPlan, type Storey } from './storey-plan.ts';

export const StoreyStack = ({
  buildingId,
  storeys,
  current,
  query,
  onShow,
}: {
  readonly buildingId: string;
  /** Highest first. */
  readonly storeys: readonly Storey[];
  readonly current: string;
  /** Parameters that the links keep in the address. */
  readonly query: Readonly<Record<string, string | null>>;
  readonly onShow: (storeyId: string) => void;
}): JSX.Element => {
  const nav = useRef<HTMLElement>(null);
  const at = storeys.findIndex(({ id }) => id === current);
  const move = (by: number) => {
    const next = storeys[at + by];
    if (next !== undefined) onShow(next.id);
  };
  const group = 'Plan';
  useKeys([
    { keys: 'u', words: 'Storey above', group, run: () => move(-1) },
    { keys: 'd', words: 'Storey below', group, run: () => move(1) },
  ]);
  // The keyboard focus follows the chosen storey.
  useEffect(() => {
    if (!nav.current?.contains(document.activeElement)) return;
    nav.current.querySelector<HTMLElement>('[aria-current]')?.focus();
  }, [current]);
  return (
    <nav
      ref={nav}
      class="plan-storeys"
      aria-label="Storeys"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        move(event.key === 'ArrowUp' ? -1 : 1);
      }}
    >
      <ul>
        {storeys.map(({ id, code, name }) => (
          <li key={id}>
            <a
              href={to(['buildings', buildingId, 'plan'], { ...query, storey: id })}
              {...(id === current && { 'aria-current': 'page' as const })}
            >
              <Thumbnail buildingId={buildingId} storeyId={id} />
              <span>
                <span class="faint small">{code}</span> {name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Decorative: a plan that cannot be loaded leaves its place empty. */
const Thumbnail = ({
  buildingId,
  storeyId,
}: {
  readonly buildingId: string;
  readonly storeyId: string;
}): JSX.Element => {
  const { api } = usePortal();
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    seen.observe(place.current!);
    return () => seen.disconnect();
  }, []);
  const { data } = useLoaded(
    async (signal) => (isSeen ? loadPlan(api, buildingId, storeyId, signal) : null),
    [api, buildingId, storeyId, isSeen],
  );
  const picture = useMemo(() => {
    if (!data?.bounds) return null;
    const { x, y, width, height } = boxOf(data.bounds);
    const outlines = data.spaces.flatMap(({ outline }) => (outline ? [outline] : []));
    return (
      <svg viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
        <path d={pathsOf(outlines)} stroke-width={Math.max(width, height) / 120} />
      </svg>
    );
  }, [data]);
  return (
    <span ref={place} class="plan-thumbnail">
      {picture}
    </span>
  );
};
