/**
 * Where a listener of a building is: `<position>`, or `<position>~<n>` within an event that tells
 * of many things: all up to the position, and the first n messages of the building after it.
 */
import type { Position } from '../../store/event-store.ts';

export interface Cursor {
  /** `null`: before everything. */
  readonly after: Position | null;
  readonly messages: number;
}

/** After the nth of so many messages that the event at `position` tells. */
export const cursorAfter = (
  n: number,
  event: { readonly of: number; readonly position: Position; readonly before: Position | null },
): Cursor =>
  n === event.of ? { after: event.position, messages: 0 } : { after: event.before, messages: n };

const START = 'start';

export const cursorText = ({ after, messages }: Cursor): string =>
  messages === 0 ? (after ?? START) : `${after ?? START}~${messages}`;

/** `null` for a text of another form. Whether the position is one only its log can tell. */
export const cursorIn = (text: string): Cursor | null => {
  const [, after, messages = '0'] = /^([^~]+)(?:~([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (after === undefined) return null;
  return { after: after === START ? null : after, messages: Number(messages) };
};
