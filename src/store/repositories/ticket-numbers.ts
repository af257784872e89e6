import { randomUUID } from 'node:crypto';
import { isRefusal, type Occasion } from '../../domain/decider.ts';
import { numberingDecider, type NumberingEvent } from '../../domain/numbering/numbering.ts';
import { NUMBERS_ATTEMPTS_MAX, TICKET_NUMBERS_RESERVED_MAX } from '../../limits.ts';
import type { Codec } from '../codec.ts';
import { LogUnavailable, WrongRevision, type EventStore } from '../event-store.ts';
import { streamOf } from '../streams.ts';

/** Hands out running numbers; what is not used is a gap. */
export interface Numbers {
  /**
   * The next number of the organisation: never the same twice, in whichever process.
   *
   * @throws {@link LogUnavailable} if the log cannot be reached, or every race was lost.
   */
  next(organisation: string, occasion: Occasion): Promise<number>;
}

export interface NumbersParts {
  readonly log: EventStore;
  readonly codec: Codec<NumberingEvent>;
}

interface Waiting {
  readonly take: (number: number) => void;
  readonly fail: (error: unknown) => void;
  readonly occasion: Occasion;
}

/**
 * One append reserves as many numbers as creates are waiting, so that a crowd of creates does not
 * queue up behind one stream. design.md decision 3.
 *
 * A reservation tells the next number by itself, so only the last one is ever read, however long
 * the stream has become; and no two have one command id, so that none need be remembered.
 */
export const numbers = ({ log, codec }: NumbersParts): Numbers => {
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
          // After the turn, so that creates that arrive together share one append.
          setImmediate(() => void serve(organisation));
        }
      }),
  };
};

const NUMBERING = { kind: 'system', id: 'numbering' } as const;
