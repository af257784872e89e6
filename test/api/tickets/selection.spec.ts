import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { selectionOf } from '../../../src/api/tickets/selection.ts';
import type { Caller } from '../../../src/identity/caller.ts';

const now = '2026-03-01T00:00:00.000Z';
const requestOf = (person: boolean, organisation: string | null = 'acme'): FastifyRequest => {
  const caller: Caller = {
    actor: { kind: person ? 'user' : 'client', id: 'ada' },
    organisation,
    roles: [],
    permissions: new Set(),
    person,
  };
  // All that a selection reads of a request.
  return { caller, requester: null } as FastifyRequest;
};

describe('the filters of a list', () => {
  it("are of the caller's organisation, and `me` is the caller", () => {
    const state = ['new' as const];
    expect(selectionOf(requestOf(true), { state }, now)).toEqual({
      organisation: 'acme',
      now,
      state,
    });
    expect(selectionOf(requestOf(true), { assigned: 'me' }, now)).toEqual({
      organisation: 'acme',
      now,
      assignedUserId: 'ada',
    });
  });

  it('are refused to a program with `me`, and to a caller without an organisation', () => {
    const refused = (code: string) => expect.objectContaining({ code }) as Error;
    expect(() => selectionOf(requestOf(false), { assigned: 'me' }, now)).toThrow(
      refused('PERSON_REQUIRED'),
    );
    expect(() => selectionOf(requestOf(true, null), {}, now)).toThrow(
      refused('ORGANISATION_REQUIRED'),
    );
    expect(() =>
      selectionOf(requestOf(true), { assigned: 'me', assignedUserId: 'bo' }, now),
    ).toThrow(refused('VALIDATION_FAILED'));
  });
});
