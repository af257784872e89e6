/** Organisations' saved views in the log: `views-<organisation>`. */
import { viewCodec } from '../../domain/views/codecs.ts';
import {
  viewsAfter,
  viewsDecider,
  type SavedViews,
  type ViewCommand,
} from '../../domain/views/views.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

export type ViewRepository = Aggregate<ViewCommand, SavedViews>;

export const viewRepository = (log: EventStore): ViewRepository =>
  aggregate({
    log,
    category: 'views',
    codec: viewCodec,
    decider: viewsDecider,
    viewAfter: viewsAfter,
  });
