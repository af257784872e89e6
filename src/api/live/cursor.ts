/**
 * Where a listener of a building is: `<position>`, or `<position>~<n>` within an event that tells
 * of many things: all up to the position, and the first n messages of the building after it. In a
 * log that was restored, the name of its timeline and a colon stand before.
 */
import type { Position } from '../../engine/log/event-store.ts';

export interface Cursor {
  /** Of the log; absent in one that was never restored. */
  readonly timeline?: string;
  /** `null`: before everything. */
  readonly after: Position | null;
  readonly messages: number;
}

/** After the nth of so many messages that the event at `position` tells. */
export const cursorAfter = (
  n: number,
  event: {
    readonly of: number;
    readonly position: Position;
    readonly before: Position | null;
    readonly timeline: string | undefined;
  },
): Cursor => ({
  ...(event.timeline === undefined ? {} : { timeline: event.timeline }),
  ...(n === event.of
    ? { after: event.position, messages: 0 }
    : { after: event.before, messages: n }),
});

const START = 'start';

export const cursorText = ({ timeline, after, messages }: Cursor): string => {
  const place = timeline === undefined ? (after ?? START) : `${timeline}:${after ?? START}`;
  return messages === 0 ? place : `${place}~${messages}`;
};

/** `null` for a text of another form. Whether the position is one only its log can tell. */
export const cursorIn = (text: string): Cursor | null => {
  const [, timeline, after, messages = '0'] =
    /^(?:([0-9a-f]{8}):)?([^~]+)(?:~([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (after === undefined) return null;
  return {
    ...(timeline === undefined ? {} : { timeline }),
    after: after === START ? null : after,
    messages: Number(messages),
  };
};
