import type { Config } from '../../config/config.ts';
import { certificatesOf } from '../conditions/certificates.ts';
import { nowMs } from '../conditions/clocks.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { CERTIFICATE_FAILURE_DAYS, CERTIFICATE_WARNING_DAYS } from '../limits.ts';
import { graded, none, type Finding } from './check.ts';

/**
 * Whether a certificate ends within {@link CERTIFICATE_WARNING_DAYS}, of any server or file in the
 * configuration. One that shows none is named without a failure: whether it can be reached is for
 * other checks, and `PUBLIC_URL` may be reachable from outside alone.
 */
export const certificatesFinding = async (config: Config, withinMs: number): Promise<Finding> => {
  const readings = await certificatesOf(config, withinMs);
  if (readings.length === 0) return none('nothing in the configuration uses TLS');
  const found = readings.map(({ part, place, endMs, error }) => {
    const days = endMs === null ? null : (endMs - nowMs()) / DAY_MS;
    const ends = days !== null && (days < 0 ? 'has ended' : `ends in ${Math.floor(days)} days`);
    return { days, said: `${part} ${place} ${ends || `cannot be read: ${error}`}` };
  });
  const within = (days: number) => found.filter((one) => one.days !== null && one.days < days);
  const wrong = within(CERTIFICATE_FAILURE_DAYS);
  return graded({
    wrong: wrong.map(({ said }) => said),
    soon: [
      ...within(CERTIFICATE_WARNING_DAYS).filter((one) => !wrong.includes(one)),
      ...found.filter(({ days }) => days === null),
    ].map(({ said }) => said),
    detail: found.map(({ said }) => said).join('; '),
  });
};
