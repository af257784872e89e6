/** Organisations' service desks in the log: `serviceDesk-<organisation>`. */
import {
  emptyConfiguration,
  workflowOf,
  type Configuration,
} from '../../domain/service-desk/configuration.ts';
import {
  deskDecider,
  deskEventSchemas,
  type DeskCommand,
  type DeskEvent,
} from '../../domain/service-desk/desk.ts';
import type { Workflow } from '../../domain/ticket/graph.ts';
import { aggregate, type Aggregate } from '../aggregate.ts';
import { codecOf } from '../codec.ts';
import type { EventStore } from '../event-store.ts';
import { SharedReads } from '../shared-reads.ts';

export const deskCodec = codecOf<DeskEvent>(deskEventSchemas);

export interface Desks extends Aggregate<DeskCommand, Configuration> {
  /**
   * As it is in the log at this moment: what is kept folded is confirmed by a read of the stream's
   * tail, one for all who asked before it was sent. The empty one where nothing was set.
   *
   * @throws {@link LogUnavailable} if the log cannot be reached.
   */
  configurationOf(organisation: string): Promise<Configuration>;
  /** What it allows for a request type; `undefined`: the whole graph. Throws as above. */
  workflowOf(organisation: string, requestType: string): Promise<Workflow | undefined>;
}

export const desks = (log: EventStore): Desks => {
  const all = aggregate({
    log,
    category: 'serviceDesk',
    codec: deskCodec,
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
