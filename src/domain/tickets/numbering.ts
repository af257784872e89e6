/**
 * The running numbers of an organisation's tickets: `numbering-<organisation>`.
 *
 * One append reserves numbers for all waiting creates, so that concurrent creates do not race one
 * by one. A reserved number that is not used is a gap.
 */
import { z } from 'zod';
import { refuse, type Decider } from '../../engine/aggregates/decider.ts';
import { TICKET_NUMBER_DIGITS_MIN, TICKET_NUMBERS_RESERVED_MAX } from './limits.ts';

export const numberingEventSchemas = {
  /** The numbers `from` to `from + count - 1` belong to the command's caller. */
  NumbersReserved: z.strictObject({
    type: z.literal('NumbersReserved'),
    from: z.int().min(1),
    count: z.int().min(1),
  }),
};

export type NumberingEvent = z.infer<typeof numberingEventSchemas.NumbersReserved>;

export interface NumberingCommand {
  readonly type: 'ReserveNumbers';
  /** 1 to {@link TICKET_NUMBERS_RESERVED_MAX}. */
  readonly count: number;
}

export interface Numbering {
  /** The first free number. */
  readonly next: number;
}

/** Refuses `VALIDATION_FAILED` for a count out of its range. */
export const numberingDecider: Decider<NumberingCommand, Numbering, NumberingEvent> = {
  initial: { next: 1 },
  decide: ({ count }, { next }) =>
    Number.isInteger(count) && count >= 1 && count <= TICKET_NUMBERS_RESERVED_MAX
      ? [{ type: 'NumbersReserved', from: next, count }]
      : refuse('VALIDATION_FAILED', `From 1 to ${TICKET_NUMBERS_RESERVED_MAX} numbers at once.`),
  evolve: ({ from, count }, { next }) => ({ next: Math.max(next, from + count) }),
};

/** `sr-42`, in any case and with any leading zeros. */
export const TICKET_NUMBER_FORM = /^[Ss][Rr]-0*(\d{1,12})$/;

/** The number that a text such as `sr-42` stands for: `SR-000042`; `null`: not a number. */
export const ticketNumberIn = (text: string): string | null => {
  const digits = TICKET_NUMBER_FORM.exec(text)?.[1];
  return digits === undefined ? null : ticketNumber(Number(digits));
};

/** `SR-000042`: at least six digits, more if six do not suffice. */
export const ticketNumber = (number: number): string =>
  `SR-${String(number).padStart(TICKET_NUMBER_DIGITS_MIN, '0')}`;
