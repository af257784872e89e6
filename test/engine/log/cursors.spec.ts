/** Cursors of a log that was restored from a backup. */
import { describe, expect, it } from 'vitest';
import { cursorsIn, LostPosition } from '../../../src/engine/log/cursors.ts';
import { UnknownPosition } from '../../../src/engine/log/event-store.ts';
import { compareDense } from '../../../src/engine/log/positions.ts';

const log = { compare: compareDense };
const FIRST = { id: '11111111-0000-4000-8000-000000000000', after: null, position: '1' };
const SECOND = { id: '22222222-0000-4000-8000-000000000000', after: '50', position: '51' };
const THIRD = { id: '33333333-0000-4000-8000-000000000000', after: '80', position: '81' };

const lostAt = (timelines: readonly (typeof FIRST | typeof SECOND)[], text: string) => {
  try {
    return cursorsIn(log, timelines).positionIn(text);
  } catch (error) {
    if (error instanceof LostPosition) return { restartAt: error.restartAt };
    throw error;
  }
};

describe('a cursor', () => {
  it('is just the position in a log that was never restored', () => {
    const cursors = cursorsIn(log, [FIRST]);
    expect(cursors.textOf('70')).toBe('70');
    expect(cursors.positionIn('70')).toBe('70');
  });

  it('from before a restore is valid up to the end of the backup', () => {
    expect(lostAt([FIRST, SECOND], '50')).toBe('50');
    expect(lostAt([FIRST, SECOND], '51')).toEqual({ restartAt: '50' });
    expect(cursorsIn(log, [FIRST, SECOND]).textOf('50')).toBe('50');
  });

  it('from after a restore names its timeline, unlike the lost one at that position', () => {
    const { textOf, positionIn } = cursorsIn(log, [FIRST, SECOND]);
    expect(textOf('51')).toBe('22222222:51');
    expect(cursorsIn(log, [FIRST, SECOND]).timeline).toBe('22222222');
    expect(positionIn('22222222:51')).toBe('51');
  });

  it('continues at the end of its own timeline after another restore', () => {
    const timelines = [FIRST, SECOND, THIRD];
    expect(lostAt(timelines, '22222222:80')).toBe('80');
    expect(lostAt(timelines, '22222222:81')).toEqual({ restartAt: '22222222:80' });
    expect(lostAt(timelines, '81')).toEqual({ restartAt: '50' });
    expect(cursorsIn(log, timelines).textOf('81')).toBe('33333333:81');
  });

  it('of a timeline that was itself lost starts at the beginning', () => {
    expect(lostAt([FIRST, THIRD], '22222222:60')).toEqual({ restartAt: null });
  });

  it.each(['', 'x', '22222222:', '22222222:x', '1:2'])('is not %j', (text) => {
    expect(() => cursorsIn(log, [FIRST, SECOND]).positionIn(text)).toThrow(UnknownPosition);
  });
});
