import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import {
  numberingDecider,
  ticketNumber,
  type NumberingEvent,
} from '../../../src/domain/tickets/numbering.ts';
import { numberingCodec } from '../../../src/domain/tickets/codecs.ts';
import { fold, noon, specify } from '../../support/domain/specify.ts';
import { throughJson } from '../../support/domain/round-trip.ts';

const given = specify(numberingDecider);
const reserve = (count: number) => ({ type: 'ReserveNumbers', count }) as const;
const reserved = (from: number, count: number) =>
  ({ type: 'NumbersReserved', from, count }) satisfies NumberingEvent;

describe('ticket numbers', () => {
  it('begin with 1', () => given().when(reserve(1)).records(reserved(1, 1)));

  it('go on where the last reservation ended', () =>
    given(reserved(1, 1), reserved(2, 200)).when(reserve(3)).records(reserved(202, 3)));

  it.each([0, -1, 1.5, Number.NaN, 10_001])('refuse a reservation of %d', (count) =>
    given().when(reserve(count)).refuses('VALIDATION_FAILED'),
  );

  it('are reserved in batches of at most 10,000', () =>
    given().when(reserve(10_000)).records(reserved(1, 10_000)));

  it('are never handed out twice', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }), (counts) => {
        const history: NumberingEvent[] = [];
        for (const count of counts) {
          const decision = numberingDecider.decide(
            reserve(count),
            fold(numberingDecider, history),
            noon,
          );
          if (isRefusal(decision)) throw new Error(decision.detail);
          history.push(...decision);
        }
        const numbers = history.flatMap(({ from, count }) =>
          Array.from({ length: count }, (_, index) => from + index),
        );
        expect(new Set(numbers).size).toBe(numbers.length);
      }),
    );
  });

  it('are stored and read as they are', () =>
    expect(throughJson(numberingCodec, reserved(202, 3))).toEqual(reserved(202, 3)));

  it.each([
    [1, 'SR-000001'],
    [42, 'SR-000042'],
    [999_999, 'SR-999999'],
    [1_000_000, 'SR-1000000'],
  ])('%d reads %s', (number, text) => expect(ticketNumber(number)).toBe(text));
});
