import type { EventStore } from './event-store.ts';
import { drawnOnce, firstIdOf } from './log-identity.ts';
import { streamOf } from './streams.ts';

/**
 * The id of an installation, drawn when it is first asked for. It lies in a stream like any other,
 * so that a log that is copied event by event goes on as the same installation, whereas the log's
 * own identity is never copied. What an installation keeps outside its log is named by it.
 *
 * @throws {@link LogUnavailable} as the log does.
 */
export const installationId = (log: Pick<EventStore, 'append' | 'readStream'>): Promise<string> =>
  drawnOnce(log, STREAM, 'InstallationBegun');

/** The same; `null` before it is first asked for. @throws As the log does. */
export const currentInstallation = (log: Pick<EventStore, 'readStream'>): Promise<string | null> =>
  firstIdOf(log, STREAM);

const STREAM = streamOf('installation', 'main');
