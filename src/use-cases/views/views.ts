/** Organisations' saved views in the log: `views-<organisation>`. */
import { viewCodec } from '../../domain/views/codecs.ts';
import {
  viewsAfter,
  viewsDecider,
  type SavedViews,
  type ViewCommand,
} from '../../domain/views/views.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import { PERSON_KEY_TRUSTED_MS } from '../../engine/limits.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

export type ViewRepository = Aggregate<ViewCommand, SavedViews>;

/**
 * Shows erased authors as such a while later: their erasure is no fact of the stream.
 *
 * @param cachedMs Default {@link PERSON_KEY_TRUSTED_MS}.
 */
export const viewRepository = (
  log: EventStore,
  cachedMs: number = PERSON_KEY_TRUSTED_MS,
): ViewRepository =>
  aggregate({
    log,
    category: 'views',
    codec: viewCodec,
    decider: viewsDecider,
    viewAfter: viewsAfter,
    cachedMs,
  });
