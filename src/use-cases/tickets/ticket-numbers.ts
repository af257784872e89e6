import { randomUUID } from 'node:crypto';
import { isRefusal, type Occasion } from '../../engine/aggregates/decider.ts';
import { numberingDecider, type NumberingEvent } from '../../domain/tickets/numbering.ts';
import { TICKET_NUMBERS_RESERVED_MAX } from '../../domain/tickets/limits.ts';
import { NUMBERS_ATTEMPTS_MAX } from './limits.ts';
import { batcher, upTo } from '../../engine/concurrency/batcher.ts';
import type { Codec } from '../../engine/log/codec.ts';
import { LogUnavailable, WrongRevision, type EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';

/** Issues the sequential numbers of tickets; an unused number leaves a gap. */
export interface TicketNumbers {
  /**
   * The next number of the organisation, unique across all processes.
   *
   * @throws {@link LogUnavailable} if the log cannot be reached, or every attempt conflicted.
   */
  next(organisation: string, occasion: Occasion): Promise<number>;
}

export interface TicketNumbersParts {
  readonly log: EventStore;
  readonly codec: Codec<NumberingEvent>;
}

/**
 * One append reserves numbers for all waiting creates, so that concurrent creates do not wait for
 * one append each. design.md decision 3.
 *
 * The last reservation alone determines the next number, so only that event is read, however long
 * the stream is. Each reservation has a new command id, so earlier ones need not be read.
 */
export const ticketNumberSequence = ({ log, codec }: TicketNumbersParts): TicketNumbers => {
  /** @returns The first of `count` numbers. */
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

  const next = batcher({
    next: upTo(TICKET_NUMBERS_RESERVED_MAX),
    async write(organisation, occasions: readonly Occasion[]) {
      const from = await reserve(organisation, occasions.length, occasions[0]!);
      return occasions.map((_, index) => from + index);
    },
  });
  return { next };
};

const NUMBERING = { kind: 'system', id: 'numbering' } as const;
