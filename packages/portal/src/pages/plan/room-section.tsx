import type { ComponentChildren, JSX } from 'preact';

export interface OfRoom {
  readonly buildingId: string;
  readonly storeyId: string;
  readonly spaceId: string;
}

/** A heading and its list. */
export const RoomSection = ({
  title,
  isEmpty,
  children,
}: {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <>
    <h3>{title}</h3>
    {isEmpty ? <p class="faint small">None</p> : <ul class="related">{children}</ul>}
  </>
);
