import { openTelemetry, type RunningTracing } from '../../../src/engine/observe/open-telemetry.ts';
import { collector, type Collector } from './collector.ts';

interface CollectedTracing {
  readonly collected: Collector;
  /** Records every trace that is not refused by its caller, and sends it at once. */
  readonly tracing: RunningTracing;
  close(): Promise<void>;
}

export const collectedTracing = async (): Promise<CollectedTracing> => {
  const collected = await collector();
  const tracing = openTelemetry({
    endpoint: collected.endpoint,
    sampling: { sampler: 'parentbased_always_on', ratio: 1 },
    serviceName: 'atrium',
    version: '0.0.0',
    instance: 'test',
    queueSpansMax: 2_048,
    sendEveryMs: 20,
  });
  return {
    collected,
    tracing,
    async close() {
      await tracing.close();
      await collected.close();
    },
  };
};
