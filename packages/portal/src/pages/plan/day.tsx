/** The time of the values: now, or a quarter of an hour of the last day, with playback. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { timeNow } from '../../ui/now.ts';
import { clockTime } from '../../ui/times.tsx';

const STEP_MS = 15 * 60_000;
const STEPS = 96;
/** The least time of a frame, in milliseconds. */
const FRAME_MS = 350;

const quarter = (ms: number): number => Math.floor(ms / STEP_MS) * STEP_MS;

export const DaySlider = ({
  at,
  isLoading,
  onMove,
  onRest,
}: {
  /** `null`: now. */
  readonly at: string | null;
  /** Whether values of that time are loading: playback waits for them. */
  readonly isLoading: boolean;
  readonly onMove: (at: string | null) => void;
  /** Called with the final time of a change, which is to be kept. */
  readonly onRest: (at: string | null) => void;
}): JSX.Element => {
  const [isPlaying, setPlaying] = useState(false);
  // With reduced motion there is a slider and no playback.
  const [isStill] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  const end = quarter(timeNow());
  const step = at === null ? STEPS : STEPS - Math.round((end - Date.parse(at)) / STEP_MS);
  const shown = Math.min(STEPS, Math.max(0, step));
  const instantAt = (next: number): string | null =>
    next >= STEPS ? null : new Date(end - (STEPS - next) * STEP_MS).toISOString();
  useEffect(() => {
    if (!isPlaying || isLoading) return;
    const timer = setTimeout(() => {
      const next = instantAt(shown + 1);
      if (next !== null) return onMove(next);
      setPlaying(false);
      onRest(null);
    }, FRAME_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isLoading, shown]);
  const play = () => {
    setPlaying(true);
    onMove(instantAt(shown === STEPS ? 0 : shown));
  };
  const pause = () => {
    setPlaying(false);
    onRest(at);
  };
  const words = at === null ? 'Now' : clockTime(Date.parse(at));
  return (
    <div class="plan-day" role="group" aria-label="Time of the values">
      {!isStill && (
        <Button
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause' : 'Play the last day'}
          onPress={isPlaying ? pause : play}
        />
      )}
      <input
        type="range"
        min={0}
        max={STEPS}
        value={shown}
        aria-label="A day back, to now"
        aria-valuetext={words}
        onInput={(event) => {
          setPlaying(false);
          onMove(instantAt(event.currentTarget.valueAsNumber));
        }}
        onChange={(event) => onRest(instantAt(event.currentTarget.valueAsNumber))}
      />
      <output class="nowrap small">{words}</output>
    </div>
  );
};
