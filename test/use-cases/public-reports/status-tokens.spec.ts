import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import {
  hashOfToken,
  isTokenOf,
  STATUS_TOKEN_CHARACTERS,
  statusTokens,
  ticketIdIn,
} from '../../../src/use-cases/public-reports/status-tokens.ts';

const key = (byte: number) => Buffer.alloc(32, byte);
const tokens = statusTokens(secretsOf([key(1)]));

describe('the token of a status link', () => {
  it('is the same for the same ticket, and names it', () => {
    const ticketId = randomUUID();
    const token = tokens.of(ticketId);
    expect(tokens.of(ticketId)).toBe(token);
    expect(token).toHaveLength(STATUS_TOKEN_CHARACTERS);
    expect(ticketIdIn(token)).toBe(ticketId);
    expect(isTokenOf(token, hashOfToken(token))).toBe(true);
  });

  it('cannot be made from the id of the ticket', () => {
    const ticketId = randomUUID();
    const hash = hashOfToken(tokens.of(ticketId));
    expect(isTokenOf(statusTokens(secretsOf([key(2)])).of(ticketId), hash)).toBe(false);
  });

  it('stays that of its stored hash when a new key was put in front', () => {
    const ticketId = randomUUID();
    const token = tokens.of(ticketId);
    const rotated = statusTokens(secretsOf([key(2), key(1)]));
    expect(rotated.of(ticketId, hashOfToken(token))).toBe(token);
    expect(rotated.of(ticketId)).not.toBe(token);
  });

  it.each(['', 'x', '!'.repeat(STATUS_TOKEN_CHARACTERS)])('is not %j', (text) => {
    expect(ticketIdIn(text)).toBeNull();
  });
});
