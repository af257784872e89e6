import { v5 as uuidFrom } from 'uuid';
import { processEventSchemas, type ProcessEvent } from './events.ts';
import type { Clock } from '../time/clock.ts';
import { codecOf } from '../log/codec.ts';
import { WrongRevision, type EventStore, type Position } from '../log/event-store.ts';
import { logIdentity, logTimelines, OWN_CATEGORY } from '../log/log-identity.ts';
import { streamOf } from '../log/streams.ts';

/**
 * The position of a process in the log itself: the stream `process-<name>`. It survives the loss of
 * the database, and is where a new process begins.
 */
export interface ProcessPosition {
  /**
   * Its last copy, or else its registration, which is recorded if missing. Earlier facts are
   * ignored. A copy that was made in another log, before this one was imported from it, is not
   * valid here; {@link ProcessPosition.carry} records its replacement.
   */
  find(): Promise<Position>;
  /**
   * Records `position`.
   *
   * @throws {@link WrongRevision} if another owner has written since {@link find}.
   */
  copy(position: Position): Promise<void>;
  /**
   * Records the position in this log of its last copy, which was made in another log. Kept apart
   * from the copies, so that further ones can be imported from there. Idempotent.
   */
  carry(position: Position): Promise<void>;
}

export const processCodec = codecOf<ProcessEvent>({
  ProcessRegistered: { schema: processEventSchemas.ProcessRegistered },
  ProcessCheckpointed: { schema: processEventSchemas.ProcessCheckpointed },
});

/** The category of these streams. */
export const PROCESS_CATEGORY = 'process';

const NAMESPACE = '0d4be2b4-7c0b-4a39-8f0a-4a5c9be2f1d7';

export const processPosition = (name: string, log: EventStore, clock: Clock): ProcessPosition => {
  const stream = streamOf(PROCESS_CATEGORY, name);
  const carried = streamOf(OWN_CATEGORY, `place-${name}`);
  let revision: number | null = null;

  const encoded = (event: ProcessEvent, what: string) =>
    processCodec.encode(uuidFrom(`${name}/${what}`, NAMESPACE), event, {
      commandId: uuidFrom(`${name}/${what}`, NAMESPACE),
      at: clock.now(),
      by: { kind: 'system', id: `process:${name}` },
      origin: 'system',
    });

  const checkpointed = async (position: Position) => ({
    type: 'ProcessCheckpointed' as const,
    position,
    log: await logIdentity(log),
  });

  const append = async (event: ProcessEvent, what: string) => {
    const appended = await log.append(stream, revision ?? 'no_stream', [encoded(event, what)]);
    ({ revision } = appended);
    return appended.position;
  };

  const lastOf = async (of: string) =>
    (await log.readStream(of, { backwards: true, limit: 1 })).map((event) =>
      processCodec.decode(event),
    )[0];

  /**
   * The position by the log's own copies; `null`: none is of this log. A copy that was made in an
   * earlier timeline and still exists is valid.
   */
  const copiedIn = async (of: string) => {
    const event = (await lastOf(of))?.event;
    if (event?.type !== 'ProcessCheckpointed') return null;
    const isOfThisLog = (await logTimelines(log)).some(({ id }) => id === event.log);
    return isOfThisLog ? event.position : null;
  };

  return {
    async find() {
      const last = await lastOf(stream);
      revision = last?.revision ?? null;
      if (!last) return append({ type: 'ProcessRegistered' }, 'registered');
      if (last.event.type === 'ProcessRegistered') return last.position;
      const copied = (await copiedIn(stream)) ?? (await copiedIn(carried));
      if (copied !== null) return copied;
      const [registered] = await log.readStream(stream, { limit: 1 });
      return registered!.position;
    },

    async copy(position) {
      if (revision === null) await this.find();
      const event = await checkpointed(position);
      await append(event, `${event.log}/${position}`);
    },

    async carry(position) {
      if ((await copiedIn(carried)) === position) return;
      const event = await checkpointed(position);
      const last = (await lastOf(carried))?.revision ?? 'no_stream';
      const what = `carried/${last}/${event.log}/${position}`;
      await log.append(carried, last, [encoded(event, what)]);
    },
  };
};

/**
 * Registers the process `name` for all events from now on. At its own first run it would begin
 * after events that other processes had handled before. Idempotent.
 *
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const registerProcess = async (
  name: string,
  log: EventStore,
  clock: Clock,
): Promise<void> => {
  try {
    await processPosition(name, log, clock).find();
  } catch (error) {
    // Another process has just recorded it.
    if (!(error instanceof WrongRevision)) throw error;
  }
};
