import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROOM_EDGE_METRES, ROOMS_AT_POSITION_MAX } from '../../../src/domain/buildings/limits.ts';
import type { Position } from '../../../src/domain/buildings/outline.ts';
import {
  roomsByPosition,
  type DrawnRoom,
} from '../../../src/domain/buildings/rooms-by-position.ts';

const rectangle = (id: string, [x, y]: Position, width: number, depth = width): DrawnRoom => ({
  id,
  outline: [
    [
      [x, y],
      [x + width, y],
      [x + width, y + depth],
      [x, y + depth],
    ],
  ],
});

describe('the room at a position', () => {
  const rooms = [rectangle('A', [0, 0], 4), rectangle('B', [4.2, 0], 4)];
  const at = roomsByPosition(rooms);

  it.each<[string, Position, string | null]>([
    ['within one', [1, 1], 'A'],
    ['on its outline', [4, 2], 'A'],
    ['in a wall, nearer to one', [4.09, 2], 'A'],
    ['in a wall, nearer to the other', [4.11, 2], 'B'],
    ['beside it, as far as a wall', [2, -ROOM_EDGE_METRES], 'A'],
    ['beside it, further away', [2, -ROOM_EDGE_METRES - 0.001], null],
    ['beside a corner', [-0.08, -0.08], null],
  ])('is that %s', (_, position, room) => {
    expect(at(position)).toBe(room);
  });

  it('is the smallest of several, and none in a hole', () => {
    const [outer] = rectangle('C', [0, 0], 10).outline;
    const court = [rectangle('hole', [4, 4], 2).outline[0]!];
    const nested = roomsByPosition([
      { id: 'C', outline: [outer!, ...court] },
      rectangle('D', [1, 1], 2),
      rectangle('E', [0, 0], 3),
    ]);
    expect([nested([2, 2]), nested([0.5, 0.5]), nested([8, 8])]).toEqual(['D', 'E', 'C']);
    expect([nested([5, 5]), nested([4.05, 5])]).toEqual([null, 'C']);
  });

  it('is none without rooms', () => {
    expect(roomsByPosition([])([0, 0])).toBeNull();
  });

  it('equals the result of a linear scan over all rooms', () => {
    const place = fc.integer({ min: 0, max: 400 }).map((n) => n / 10);
    const anyRoom = fc.tuple(place, place, fc.integer({ min: 1, max: 30 }));
    const anyPosition = fc.tuple(place, place);
    fc.assert(
      fc.property(
        fc.array(anyRoom, { minLength: 1, maxLength: ROOMS_AT_POSITION_MAX }),
        fc.array(anyPosition, { maxLength: 20 }),
        (given, positions) => {
          const all = given.map(([x, y, width], n) => rectangle(`${n}`, [x, y], width));
          const one = all.map((room) => ({ room, at: roomsByPosition([room]) }));
          const found = roomsByPosition(all);
          for (const position of positions) {
            const those = one.filter((each) => each.at(position) !== null);
            const ids = those.map((each) => each.room.id);
            expect(ids.length === 0 ? [null] : ids).toContain(found(position));
          }
        },
      ),
    );
  });

  it('is searched only among the rooms above each other', () => {
    const same = (count: number) =>
      Array.from({ length: count }, (_, n) => rectangle(`${n}`.padStart(3, '0'), [0, 0], 4));
    expect(roomsByPosition(same(ROOMS_AT_POSITION_MAX))([1, 1])).toBe('000');
    expect(roomsByPosition(same(ROOMS_AT_POSITION_MAX + 20))([1, 1])).toBeNull();
  });
});
