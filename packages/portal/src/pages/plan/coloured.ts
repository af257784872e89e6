/** Loads the colourings of a storey, and its colours as they change. */
import { useCallback, useRef } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded, type Loaded } from '../../loading.ts';
import { useChanges } from '../tickets/live.ts';
import type { Colouring, Colours } from './colours.ts';

export interface OfStorey {
  readonly buildingId: string;
  readonly storeyId: string;
}

/** The poll interval of values, in milliseconds. */
const VALUES_EVERY_MS = 5_000;
/** The poll interval of tickets, which become overdue without an event. */
const TICKETS_EVERY_MS = 30_000;
/** Changes of tickets reload the colours at most this often, in milliseconds. */
const CHANGES_EVERY_MS = 1_000;
/** The read model of the colours lags behind a change by about this time. */
const CHANGE_AGE_MS = 500;
/** Layers whose values are loaded for a room. */
const LAYERS_MAX = 12;

export const useColourings = ({ buildingId, storeyId }: OfStorey): Loaded<readonly Colouring[]> => {
  const { api } = usePortal();
  return useLoaded<readonly Colouring[]>(
    async (signal) => {
      const params = { path: { buildingId }, query: { storeyId } };
      const path = '/api/v1/buildings/{buildingId}/plan/colourings';
      return (await api.GET(path, { params, signal })).data.items;
    },
    [api, buildingId, storeyId],
  );
};

/** Whether a colouring has historical values. */
export const hasPast = (colour: string | null): boolean =>
  colour === 'faults' || colour?.startsWith('point:') === true;

/**
 * The colours of a storey, which follow tickets by the change feed and values by polling while the
 * page is visible.
 *
 * @param colour `null`: none.
 * @param at `null`: now.
 */
export const useColours = (
  { buildingId, storeyId }: OfStorey,
  colour: string | null,
  at: string | null,
): Loaded<Colours | null> => {
  const { api } = usePortal();
  const loaded = useLoaded<Colours | null>(
    async (signal) => {
      if (colour === null) return null;
      const query = { storeyId, colour, ...(at !== null && { at }) };
      const params = { path: { buildingId }, query };
      return (await api.GET('/api/v1/buildings/{buildingId}/plan/colours', { params, signal }))
        .data;
    },
    [api, buildingId, storeyId, colour, at],
  );
  const { poll } = loaded;
  const isOfTickets = colour === 'tickets';
  const isNow = colour !== null && at === null;
  useEvery(isNow ? (isOfTickets ? TICKETS_EVERY_MS : VALUES_EVERY_MS) : null, poll);
  const changedAt = useRef<number | null>(null);
  useChanges((changes) => {
    if (changes === null || changes.some(({ ticket }) => ticket.buildingId === buildingId))
      changedAt.current = Date.now();
  });
  const followChanges = useCallback(() => {
    const isDue = changedAt.current !== null && Date.now() - changedAt.current >= CHANGE_AGE_MS;
    if (isDue && poll()) changedAt.current = null;
  }, [poll]);
  useEvery(isOfTickets ? CHANGES_EVERY_MS : null, followChanges);
  return loaded;
};

/** The data layers in which a room of the storey may have a value. */
export const useLayers = (
  { buildingId, storeyId }: OfStorey,
  colourings: readonly Colouring[],
  isWanted: boolean,
): Loaded<readonly (readonly [name: string, Colours])[]> => {
  const { api } = usePortal();
  const layers = colourings.filter(({ colour }) => colour.startsWith('layer:'));
  const shown = layers.slice(0, LAYERS_MAX);
  return useLoaded<readonly (readonly [string, Colours])[]>(
    async (signal) => {
      if (!isWanted) return [];
      return Promise.all(
        shown.map(async ({ name, colour }) => {
          const params = { path: { buildingId }, query: { storeyId, colour } };
          const path = '/api/v1/buildings/{buildingId}/plan/colours';
          return [name, (await api.GET(path, { params, signal })).data] as const;
        }),
      );
    },
    [api, buildingId, storeyId, shown.map(({ colour }) => colour).join('\n'), isWanted],
  );
};
