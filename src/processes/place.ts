import { v5 as uuidFrom } from 'uuid';
import { processEventSchemas, type ProcessEvent } from '../domain/process/events.ts';
import type { Clock } from '../ops/clock.ts';
import { codecOf } from '../store/codec.ts';
import type { EventStore, Position } from '../store/event-store.ts';
import { logIdentity } from '../store/log-identity.ts';
import { streamOf } from '../store/streams.ts';

/**
 * Where a process stands, as the log itself has it: the stream `process-<name>`. It is what is
 * left when the database is not, and what a process that was never started begins with.
 */
export interface Place {
  /**
   * Its last copy, or else where it registered; registers it if it never did. Facts recorded
   * before that are none of its business. A copy that was made in another log, before this one was
   * filled from it, says nothing here.
   */
  find(): Promise<Position>;
  /**
   * Writes `position` down.
   *
   * @throws {@link WrongRevision} if another owner has written since {@link find}.
   */
  copy(position: Position): Promise<void>;
}

export const processCodec = codecOf<ProcessEvent>({
  ProcessRegistered: { schema: processEventSchemas.ProcessRegistered },
  ProcessCheckpointed: { schema: processEventSchemas.ProcessCheckpointed },
});

/** The category of these streams. */
export const PROCESS_CATEGORY = 'process';

const NAMESPACE = '0d4be2b4-7c0b-4a39-8f0a-4a5c9be2f1d7';

export const placeOf = (name: string, log: EventStore, clock: Clock): Place => {
  const stream = streamOf(PROCESS_CATEGORY, name);
  let revision: number | null = null;

  const encoded = (event: ProcessEvent, what: string) =>
    processCodec.encode(uuidFrom(`${name}/${what}`, NAMESPACE), event, {
      commandId: uuidFrom(`${name}/${what}`, NAMESPACE),
      at: clock.now(),
      by: { kind: 'system', id: `process:${name}` },
      origin: 'system',
    });

  const append = async (event: ProcessEvent, what: string) => {
    const appended = await log.append(stream, revision ?? 'no_stream', [encoded(event, what)]);
    ({ revision } = appended);
    return appended.position;
  };

  return {
    async find() {
      const [last] = await log.readStream(stream, { backwards: true, limit: 1 });
      if (!last) {
        revision = null;
        return append({ type: 'ProcessRegistered' }, 'registered');
      }
      ({ revision } = last);
      const { event } = processCodec.decode(last);
      if (event.type === 'ProcessRegistered') return last.position;
      if (event.log === (await logIdentity(log))) return event.position;
      const [registered] = await log.readStream(stream, { limit: 1 });
      return registered!.position;
    },

    async copy(position) {
      if (revision === null) await this.find();
      const identity = await logIdentity(log);
      await append(
        { type: 'ProcessCheckpointed', position, log: identity },
        `${identity}/${position}`,
      );
    },
  };
};
