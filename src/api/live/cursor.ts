/**
 * A listener's position in a building: `<position>`, or `<position>~<n>` within an event with
 * several messages: everything up to the position, plus the building's first n messages after it.
 * In a restored log the timeline's name and a colon precede it.
 */
import type { Position } from '../../engine/log/event-store.ts';

export interface Cursor {
  /** The log's timeline; absent if it was never restored. */
  readonly timeline?: string;
  /** `null`: before the first event. */
  readonly after: Position | null;
  readonly messages: number;
}

/** The cursor after the nth of the messages of the event at `position`. */
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

/** `null` for a malformed text. Whether the position exists is checked by the log only. */
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
