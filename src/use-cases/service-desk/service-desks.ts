/** Organisations' service desks in the log: `serviceDesk-<organisation>`. */
import {
  emptyConfiguration,
  workflowOf,
  type Configuration,
} from '../../domain/service-desk/configuration.ts';
import { serviceDeskCodec } from '../../domain/service-desk/codecs.ts';
import { deskDecider, type DeskCommand } from '../../domain/service-desk/desk.ts';
import type { Workflow } from '../../domain/tickets/graph.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { SharedReads } from '../../engine/log/shared-reads.ts';

export interface ServiceDesks extends Aggregate<DeskCommand, Configuration> {
  /**
   * The current configuration: the cached one is confirmed by a read of the stream's tail, which
   * concurrent callers share. Empty if none was set.
   *
   * @throws {@link LogUnavailable} if the log cannot be reached.
   */
  configurationOf(organisation: string): Promise<Configuration>;
  /** The transitions of a request type; `undefined`: all of them. Throws as above. */
  workflowOf(organisation: string, requestType: string): Promise<Workflow | undefined>;
}

export const serviceDeskRepository = (log: EventStore): ServiceDesks => {
  const all = aggregate({
    log,
    category: 'serviceDesk',
    codec: serviceDeskCodec,
    decider: deskDecider,
    viewAfter: ({ event }): Configuration => event.configuration,
  });
  const reads = new SharedReads((organisation) => all.look(organisation));
  const configurationOf = async (organisation: string) =>
    (await reads.of(organisation))?.view ?? emptyConfiguration;
  return {
    ...all,
    configurationOf,
    workflowOf: async (organisation, requestType) =>
      workflowOf(await configurationOf(organisation), requestType),
  };
};
