import { clockRoutes } from '../api/operations/clock.ts';
import { feedRoutes } from '../api/operations/feed.ts';
import { processRoutes } from '../api/operations/processes.ts';
import { operationsRoutes } from '../api/operations/routes.ts';
import { streamRoutes } from '../api/operations/streams.ts';
import type { FastifyInstance } from 'fastify';
import type { FeedControl } from '../processes/tickets/feed-control.ts';
import type { ProcessControl } from '../engine/control/process-control.ts';
import type { StreamSkip } from '../processes/operations/stream-skip.ts';
import type { TimeTravel } from '../engine/control/time-travel.ts';
import type { ReadModels } from '../engine/projections/read-models.ts';

export interface OperationsParts {
  readonly models: ReadModels;
  readonly control: ProcessControl;
  readonly feedControl: FeedControl;
  readonly streamSkip: StreamSkip;
  /** `null` where the clock may not be moved over HTTP. */
  readonly travel: TimeTravel | null;
  /** A sandbox's owner moves its clock; it has no operator routes. */
  readonly isSandbox: boolean;
}

export const operationsTag = { name: 'operations', description: 'For operators of the server.' };

/** The operator routes that concern all capabilities. contract.md section 10. */
export const operations = async (app: FastifyInstance, parts: OperationsParts): Promise<void> => {
  const { models, control, feedControl, streamSkip, travel, isSandbox } = parts;
  if (!isSandbox) {
    await app.register(operationsRoutes, { readModels: models });
    await app.register(processRoutes, { control });
    await app.register(feedRoutes, { control: feedControl });
    await app.register(streamRoutes, { streamSkip });
  }
  if (travel) await app.register(clockRoutes, { travel, isSandbox });
};
