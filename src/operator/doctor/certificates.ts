import type { Config } from '../../config/config.ts';
import { certificateEnd, tlsEndpoints } from '../conditions/certificates.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { CERTIFICATE_FAILURE_DAYS, CERTIFICATE_WARNING_DAYS } from '../limits.ts';
import { graded, none, type Finding } from './check.ts';
import { nowMs } from './machine.ts';

/**
 * Whether a certificate ends within {@link CERTIFICATE_WARNING_DAYS}, of any server in the
 * configuration. One that shows none is named without a failure: whether it can be reached is for
 * other checks, and `PUBLIC_URL` may be reachable from outside alone.
 */
export const certificatesFinding = async (config: Config, withinMs: number): Promise<Finding> => {
  const endpoints = tlsEndpoints(config);
  if (endpoints.length === 0) return none('no address in the configuration uses TLS');
  const looks = endpoints.map(async (endpoint) => {
    const place = `${endpoint.part} ${endpoint.host}:${endpoint.port}`;
    try {
      const days = ((await certificateEnd(endpoint, withinMs)) - nowMs()) / DAY_MS;
      const said = `${place} ${days < 0 ? 'has ended' : `ends in ${Math.floor(days)} days`}`;
      return { days, said };
    } catch (error) {
      return { days: null, said: `${place} cannot be read: ${(error as Error).message}` };
    }
  });
  const found = await Promise.all(looks);
  const read = found.filter((one) => one.days !== null);
  const within = (days: number) => read.filter((one) => one.days < days);
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
