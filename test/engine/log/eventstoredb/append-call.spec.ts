import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AppendRequest } from '../../../../src/engine/log/backend.ts';
import {
  appendCall,
  RepeatTurns,
  type AppendCall,
} from '../../../../src/engine/log/eventstoredb/append-call.ts';
import { NoAnswer } from '../../../../src/engine/log/eventstoredb/calls.ts';
import { heldFor } from '../../../support/until.ts';

const JOURNAL = 'keyuse-acme.202608';

const callOf = (
  isRepeat: boolean,
  expected: AppendRequest['expected'] = 'any',
  withinMs = 60_000,
) => {
  const events = [{ id: randomUUID(), type: 'KeyUsed', data: '{}', meta: '{}' }];
  const request: AppendRequest = { stream: JOURNAL, expected, events };
  return appendCall([request], { sent: isRepeat ? [request] : [], withinMs });
};

const begun = async (turns: RepeatTurns, call: AppendCall, journal = JOURNAL) =>
  (await heldFor(turns.begin(journal, call), 20)) !== 'held';

it('a repeated append to a journal waits for no first attempt, and all wait for it', async () => {
  const turns = new RepeatTurns();
  const [first, repeat, later, other] = [callOf(false), callOf(true), callOf(false), callOf(true)];
  expect(await begun(turns, first)).toBe(true);
  expect(await begun(turns, repeat)).toBe(true);
  // Its next attempt.
  expect(await begun(turns, repeat)).toBe(true);
  const waiting = [turns.begin(JOURNAL, later), turns.begin(JOURNAL, other)];
  expect(await heldFor(Promise.race(waiting), 20)).toBe('held');
  expect(await begun(turns, callOf(false), 'keyuse-globex.202608')).toBe(true);
  // That of a call without a turn changes nothing.
  turns.end(JOURNAL, first);
  expect(await heldFor(Promise.race(waiting), 20)).toBe('held');
  turns.end(JOURNAL, repeat);
  await Promise.all(waiting);
  expect(await begun(turns, callOf(false))).toBe(false);
  turns.end(JOURNAL, other);
  expect(await begun(turns, callOf(false))).toBe(true);
});

it('a repeat at a revision needs no turn, and a wait ends with its deadline', async () => {
  const turns = new RepeatTurns();
  expect(await begun(turns, callOf(true, 7))).toBe(true);
  expect(await begun(turns, callOf(false))).toBe(true);
  expect(await begun(turns, callOf(true))).toBe(true);
  await expect(turns.begin(JOURNAL, callOf(false, 'any', 10))).rejects.toBeInstanceOf(NoAnswer);
});
