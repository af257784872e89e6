import { randomUUID } from 'node:crypto';
import { isRefusal, type Occasion } from '../../engine/aggregates/decider.ts';
import { numberingDecider, type NumberingEvent } from '../../domain/tickets/numbering.ts';
import { TICKET_NUMBERS_RESERVED_MAX } from '../../domain/tickets/limits.ts';
import { NUMBERS_ATTEMPTS_MAX } from './limits.ts';
import type { Codec } from '../../engine/log/codec.ts';
import { LogUnavailable, WrongRevision, type EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';

/** Gives out the running numbers of tickets; one that is not used is a gap. */
export interface TicketNumbers {
  /**
   * The next number of the organisation: never the same twice, in whichever process.
   *
   * @throws {@link LogUnavailable} if the log cannot be reached, or every race was lost.
   */
  next(organisation: string, occasion: Occasion): Promise<number>;
}

export interface TicketNumbersParts {
  readonly log: EventStore;
  readonly codec: Codec<NumberingEvent>;
}

interface Waiting {
  readonly take: (number: number) => void;
  readonly fail: (error: unknown) => void;
  readonly occasion: Occasion;
}

/**
 * One append reserves as many numbers as creates are waiting, so that many creates at once do not
 * wait for one append each. design.md decision 3.
 *
 * The last reservation alone says which number is next, so that only that event is read, however
 * long the stream is; and each has a command id of its own, so that none need be looked for.
 */
export const ticketNumberSequence = ({ log, codec }: TicketNumbersParts): TicketNumbers => {
  const queues = new Map<string, Waiting[]>();

  /** The first of `count` numbers that belong to the caller from now on. */
  const reserve = async (
    organisation: string,
    count: number,
    { at }: Occasion,
  ): Promise<number> => {
    const stream = streamOf('numbering', organisation);
    const [commandId, id] = [randomUUID(), randomUUID()];
    for (let attempt = 1; ; attempt += 1) {
      const [stored] = await log.readStream(stream, { backwards: true, limit: 1 });
      const last = stored && codec.decode(stored);
      const state = last
        ? numberingDecider.evolve(last.event, numberingDecider.initial, last.at)
        : numberingDecider.initial;
      const occasion = { at, by: NUMBERING, origin: 'system' } as const;
      const decision = numberingDecider.decide({ type: 'ReserveNumbers', count }, state, occasion);
      if (isRefusal(decision)) throw new Error(decision.detail);
      const [reserved] = decision;
      const record = { ...occasion, commandId, organisation };
      try {
        const expected = last ? last.revision : 'no_stream';
        await log.append(stream, expected, [codec.encode(id, reserved!, record)]);
        return reserved!.from;
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        if (attempt === NUMBERS_ATTEMPTS_MAX) {
          throw new LogUnavailable(`${attempt} races lost on ${stream}`, error);
        }
      }
    }
  };

  const serve = async (organisation: string) => {
    const queue = queues.get(organisation)!;
    while (queue.length > 0) {
      const served = queue.splice(0, TICKET_NUMBERS_RESERVED_MAX);
      try {
        const from = await reserve(organisation, served.length, served[0]!.occasion);
        served.forEach(({ take }, index) => take(from + index));
      } catch (error) {
        for (const { fail } of served) fail(error);
      }
    }
    queues.delete(organisation);
  };

  return {
    next: (organisation, occasion) =>
      new Promise((take, fail) => {
        const queue = queues.get(organisation);
        const waiting = { take, fail, occasion };
        if (queue) queue.push(waiting);
        else {
          queues.set(organisation, [waiting]);
          // After this turn of the event loop: creates that arrive together share an append.
          setImmediate(() => void serve(organisation));
        }
      }),
  };
};

const NUMBERING = { kind: 'system', id: 'numbering' } as const;
