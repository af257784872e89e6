import type { JSX } from 'preact';
import type { Loaded } from '../../loading.ts';
import { Show } from '../../ui/notices.tsx';
import { useChanges } from '../tickets/live.ts';

export interface OfRoom {
  readonly buildingId: string;
  readonly storeyId: string;
  readonly spaceId: string;
}

/** Calls `changed` when a ticket of the room has changed, or may have. */
export const useChangesIn = (spaceId: string, changed: () => void): void =>
  useChanges((changes) => {
    if (changes === null || changes.some(({ ticket }) => ticket.spaceId === spaceId)) changed();
  });

/** The first rows of one kind in a room, and their total number. */
export const RoomSection = <Row,>({
  title,
  of,
  row,
}: {
  readonly title: string;
  readonly of: Omit<Loaded<{ readonly items: readonly Row[]; readonly total: number }>, 'set'>;
  /** Renders a list item with its key. */
  readonly row: (item: Row, at: number) => JSX.Element;
}): JSX.Element => (
  <Show of={of}>
    {({ items, total }) => (
      <>
        <h3>
          {title} ({total})
        </h3>
        {items.length === 0 ? (
          <p class="faint small">None</p>
        ) : (
          <ul class="related">{items.map(row)}</ul>
        )}
      </>
    )}
  </Show>
);
