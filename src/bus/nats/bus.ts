import type { BusMetrics } from '../metrics.ts';
import type { Bus } from '../bus.ts';
import { outgoingOf } from './messages.ts';
import type { Nats } from './nats.ts';

export interface NatsBusParts {
  readonly nats: Pick<Nats, 'publish'>;
  /** Prefix of every subject. */
  readonly prefix: string;
  /** The URI of this platform, as the source of its events. */
  readonly source: string;
  readonly metrics: Pick<BusMetrics, 'published'>;
}

/**
 * NATS as bus: a published message is in the stream of its subject. The intake (`busIntake`) stores
 * incoming messages in the log, where consumers follow them.
 */
export const natsBus = ({ nats, prefix, source, metrics }: NatsBusParts): Bus => ({
  async publish(subject, data, options) {
    try {
      const { repeated } = await nats.publish(
        outgoingOf({ prefix, source }, subject, data, options),
      );
      metrics.published(repeated ? 'repeated' : 'stored');
      return { position: null };
    } catch (error) {
      metrics.published('failed');
      throw error;
    }
  },
});
