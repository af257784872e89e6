import { randomUUID } from 'node:crypto';
import type { Occasion } from '../domain/decider.ts';
import type { NumberingCommand, ReservedNumbers } from '../domain/numbering/numbering.ts';
import { TICKET_NUMBERS_RESERVED_MAX } from '../limits.ts';
import type { Aggregate } from './aggregate.ts';

/** Hands out running numbers; what is not used is a gap. */
export interface Numbers {
  /** The next number of the organisation: never the same twice, in whichever process. */
  next(organisation: string, occasion: Occasion): Promise<number>;
}

interface Waiting {
  readonly take: (number: number) => void;
  readonly fail: (error: unknown) => void;
  readonly occasion: Occasion;
}

/**
 * One append reserves as many numbers as creates are waiting, so that a crowd of creates does not
 * queue up behind one stream. design.md decision 3.
 */
export const numbers = (numbering: Aggregate<NumberingCommand, ReservedNumbers>): Numbers => {
  const queues = new Map<string, Waiting[]>();

  const serve = async (organisation: string) => {
    const queue = queues.get(organisation)!;
    while (queue.length > 0) {
      const served = queue.splice(0, TICKET_NUMBERS_RESERVED_MAX);
      try {
        const { view } = await numbering.give(
          organisation,
          {
            commandId: randomUUID(),
            command: { type: 'ReserveNumbers', count: served.length },
            organisation,
          },
          { ...served[0]!.occasion, by: NUMBERING, origin: 'system' },
        );
        served.forEach(({ take }, index) => take(view.from + index));
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
