/** Errors of rules and trials, in words for the person at the form. */
import { AtriumError } from '../../../../sdk/src/index.ts';

/** The server's limit of points times days per trial. */
const POINT_DAYS_MAX = 3_660;

const TOO_LONG = /^(\d+) points over (\d+) days/;
const TOO_MANY = /^There are more than (\d+)/;

/** The same error, or one whose message says what to do. */
export const plainly = (error: unknown): unknown => {
  if (!AtriumError.is(error)) return error;
  const detail = error.problem.detail ?? '';
  if (error.code === 'RULE_LIMIT_REACHED')
    return new Error(`${detail} Delete one that is no longer needed first.`);
  if (error.code === 'REFERENCE_NOT_FOUND')
    return new Error('This point is no longer in the building: choose another one.');
  if (error.code === 'RATE_LIMITED')
    return new Error('Other trials are still running. Try again when they have finished.');
  const tooLong = TOO_LONG.exec(detail);
  if (tooLong) return new Error(tooLongWords(Number(tooLong[1]), Number(tooLong[2])));
  const tooMany = TOO_MANY.exec(detail);
  if (!tooMany) return error;
  const count = Number(tooMany[1]).toLocaleString('en');
  return new Error(`More than ${count} faults would have opened: try a shorter time.`);
};

const tooLongWords = (points: number, days: number): string => {
  const most = Math.floor(POINT_DAYS_MAX / points);
  const advice = most === 0 ? 'Try one point.' : `Try at most ${most} days, or one point.`;
  const asked = `${points.toLocaleString('en')} points over ${days.toLocaleString('en')} days`;
  return `${asked} are too many for one trial. ${advice}`;
};
