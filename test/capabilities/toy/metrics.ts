import { Counter } from 'prom-client';
import type { MetricRegistry } from '../../../src/engine/observe/metrics.ts';

export interface GreetingMetrics {
  /** A greeting was said; one that is said again after a crash counts again. */
  said(): void;
}

export const greetingMetrics = ({ registry }: MetricRegistry): GreetingMetrics => {
  const said = new Counter({
    name: 'atrium_greetings_said_total',
    help: 'Greetings said by this process',
    registers: [registry],
  });
  return { said: () => said.inc() };
};
