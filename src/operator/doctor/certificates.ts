import type { Config } from '../../config/config.ts';
import { certificatesOf } from '../conditions/certificates.ts';
import { nowMs } from '../conditions/clocks.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { CERTIFICATE_FAILURE_DAYS, CERTIFICATE_WARNING_DAYS } from '../limits.ts';
import { graded, none, type Finding } from './check.ts';

/**
 * Whether a certificate of any server or file in the configuration expires within
 * {@link CERTIFICATE_WARNING_DAYS}. A server that sends none is only warned about: other checks
 * examine whether it can be reached, and `PUBLIC_URL` may be reachable only from outside.
 */
export const certificatesFinding = async (config: Config, withinMs: number): Promise<Finding> => {
  const readings = await certificatesOf(config, withinMs);
  if (readings.length === 0) return none('nothing in the configuration uses TLS');
  const found = readings.map(({ part, place, endMs, error }) => {
    const days = endMs === null ? null : (endMs - nowMs()) / DAY_MS;
    const ends = days !== null && (days < 0 ? 'has ended' : `ends in ${Math.floor(days)} days`);
    return { days, line: `${part} ${place} ${ends || `cannot be read: ${error}`}` };
  });
  const within = (days: number) => found.filter((one) => one.days !== null && one.days < days);
  const wrong = within(CERTIFICATE_FAILURE_DAYS);
  return graded({
    wrong: wrong.map(({ line }) => line),
    soon: [
      ...within(CERTIFICATE_WARNING_DAYS).filter((one) => !wrong.includes(one)),
      ...found.filter(({ days }) => days === null),
    ].map(({ line }) => line),
    detail: found.map(({ line }) => line).join('; '),
  });
};
