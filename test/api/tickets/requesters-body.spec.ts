/** The reporter of what a requester raises. */
import { expect, it } from 'vitest';
import { requestersBody } from '../../../src/api/tickets/requesters.ts';

const request = { caller: { actor: { kind: 'user', id: 'rita', name: 'Rita' } } } as never;
const body = (reporterEmail?: string) =>
  ({ channel: 'portal', metadata: {}, description: 'x', reporterEmail }) as never;
const requester = (email: string | null) => ({ email }) as never;

it('has the address with which they signed in, and no other one', () => {
  expect(requestersBody(request, requester('rita@acme.test'), body()).reporterEmail).toBe(
    'rita@acme.test',
  );
  expect(() =>
    requestersBody(request, requester('rita@acme.test'), body('boss@acme.test')),
  ).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
});

it('has none where they signed in without one', () => {
  expect(requestersBody(request, requester(null), body()).reporterEmail).toBeNull();
  expect(() => requestersBody(request, requester(null), body('boss@acme.test'))).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED' }),
  );
});
