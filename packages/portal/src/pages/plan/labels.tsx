/** The labels of the rooms: the code always, the name where it fits. */
import type { JSX } from 'preact';
import type { Space } from './storey-plan.ts';
import { roomAround, type Room } from './geometry.ts';

/** The width of a letter, relative to the font size. */
const LETTER = 0.62;
/** The line height, relative to the font size. */
const LINE = 1.25;

interface Label {
  readonly space: Space;
  readonly at: readonly [number, number];
  readonly room: Room;
}

export const labelsOf = (spaces: readonly Space[]): readonly Label[] =>
  spaces.flatMap((space) =>
    space.outline === null || space.labelAt === null
      ? []
      : [{ space, at: space.labelAt, room: roomAround(space.outline, space.labelAt) }],
  );

const fits = (text: string, size: number, { width }: Room): boolean =>
  text.length * LETTER * size <= width;

/**
 * @param scale Pixels per metre: the font size on the screen does not change.
 * @param pixels The font size, unless the room is too small.
 */
export const Labels = ({
  of,
  scale,
  pixels,
}: {
  readonly of: readonly Label[];
  readonly scale: number;
  readonly pixels: number;
}): JSX.Element => (
  <g class="plan-labels">
    {of.map(({ space: { id, code, name }, at: [x, y], room }) => {
      const size = pixels / scale;
      const codeSize = Math.min(size, room.width / (LETTER * code.length + 0.5), room.height * 0.7);
      const hasName = room.height > 2.75 * size && codeSize === size && fits(name, size, room);
      return (
        <text key={id} x={x} y={-y} font-size={codeSize}>
          <tspan x={x} dy={hasName ? '-0.35em' : '0.35em'}>
            {code}
          </tspan>
          {hasName && (
            <tspan x={x} dy={`${LINE}em`} class="plan-name">
              {name}
            </tspan>
          )}
        </text>
      );
    })}
  </g>
);
