/** The change feed for components. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Change, ChangeFeed, Connection } from './change-feed.ts';

/** `null` for a person who may not read tickets. */
export const FeedContext = createContext<ChangeFeed | null>(null);

const useFeed = (): ChangeFeed | null => useContext(FeedContext);

/**
 * Calls the listener with changes in their order, including the person's own.
 *
 * @param listener Called with `null` if changes were missed: the data must be loaded again.
 */
export const useChanges = (listener: (changes: readonly Change[] | null) => void): void => {
  const feed = useFeed();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(
    () =>
      feed?.subscribe((event) => {
        if (event.kind === 'changes') latest.current(event.changes);
        if (event.kind === 'missed') latest.current(null);
      }),
    [feed],
  );
};

export const useConnection = (): Connection | null => {
  const feed = useFeed();
  const [connection, setConnection] = useState(feed?.connection() ?? null);
  useEffect(() => {
    if (feed === null) return;
    setConnection(feed.connection());
    return feed.subscribe((event) => {
      if (event.kind === 'connection') setConnection(event.connection);
    });
  }, [feed]);
  return connection;
};
