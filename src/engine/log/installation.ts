import type { EventStore } from './event-store.ts';
import { firstIdOf, generatedOnce } from './log-identity.ts';
import { streamOf } from './streams.ts';

/**
 * The id of an installation, generated when it is first needed. It is stored in an ordinary stream,
 * so that a log that is copied event by event stays the same installation, whereas the log's own
 * identity is never copied. It names what an installation stores outside its log.
 *
 * @throws {@link LogUnavailable} as the log does.
 */
export const installationId = (log: Pick<EventStore, 'append' | 'readStream'>): Promise<string> =>
  generatedOnce(log, STREAM, 'InstallationBegun');

/** The same; `null` before it was generated. @throws As the log does. */
export const currentInstallation = (log: Pick<EventStore, 'readStream'>): Promise<string | null> =>
  firstIdOf(log, STREAM);

const STREAM = streamOf('installation', 'main');
