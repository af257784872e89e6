/** The plan alone on a screen on a wall. */
import { useEffect } from 'preact/hooks';
import { useKeys } from '../../keys/keys.ts';
import type { PlanRoute } from './address.ts';

const WALL = 'wall';

/**
 * Whether the address asks for the wall display, and functions that show and leave it. A press or a
 * key shows it in full screen, where the browser allows that; leaving full screen leaves it.
 */
export const useWallDisplay = ({
  display,
  show,
}: PlanRoute): { readonly isShown: boolean; readonly toggle: () => void } => {
  const isShown = display === WALL;
  const toggle = () => {
    show({ display: isShown ? null : WALL, space: null });
    // A browser that refuses full screen shows it in the window.
    const changing = isShown
      ? document.fullscreenElement && document.exitFullscreen()
      : document.documentElement.requestFullscreen();
    void Promise.resolve(changing).catch(() => {});
  };
  const group = 'Plan';
  useKeys([
    { keys: 'w', words: 'Wall display', group, run: toggle },
    // In full screen the browser takes this key for itself.
    ...(isShown ? [{ keys: 'Escape', words: 'Leave the wall display', group, run: toggle }] : []),
  ]);
  useEffect(() => {
    if (!isShown) return;
    const left = () => {
      if (document.fullscreenElement === null) show({ display: null });
    };
    document.addEventListener('fullscreenchange', left);
    return () => document.removeEventListener('fullscreenchange', left);
  }, [isShown, show]);
  return { isShown, toggle };
};
