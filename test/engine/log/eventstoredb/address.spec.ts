import { expect, it } from 'vitest';
import { addressOf, withoutHost } from '../../../../src/engine/log/eventstoredb/address.ts';

it('takes the credentials out of the connection string', () => {
  const { any, leader, credentials } = addressOf('esdb://ada:p%40ss@one:2113,two:2113?tls=true');
  expect(any).toBe('esdb://one:2113,two:2113?tls=true&gossipTimeout=1');
  expect(leader).toBe(`${any}&nodePreference=leader`);
  expect([credentials.username, credentials.password]).toEqual(['ada', 'p@ss']);
});

it('addresses the leader where only it may answer, whatever node preference is set', () => {
  const { any, leader } = addressOf('esdb://one?tls=false&nodePreference=follower');
  expect(any).toBe('esdb://one?tls=false&nodePreference=follower');
  expect(leader).toBe('esdb://one?tls=false&nodePreference=leader');
});

it.each([
  ['esdb://one?tls=false', 'esdb://one?tls=false'],
  ['kurrentdb://one:2113/?tls=false', 'esdb://one:2113?tls=false'],
  ['kurrent+discover://cluster?tls=false', 'esdb+discover://cluster?tls=false&gossipTimeout=1'],
  ['esdb://a,b?gossipTimeout=3&tls=false', 'esdb://a,b?gossipTimeout=3&tls=false'],
  ['eventstore://one?tls=false&throwOnAppendFailure=false', 'esdb://one?tls=false'],
])('reads %s', (url, address) => expect(addressOf(url).any).toBe(address));

it('always has credentials, because they decide which append call is used', () => {
  const { credentials } = addressOf('esdb://one?tls=false');
  expect(credentials).toMatchObject({ username: expect.stringMatching(/./) });
});

it('hides the password when the credentials are printed', () => {
  expect(JSON.stringify(addressOf('esdb://ada:secret@one').credentials)).not.toContain('secret');
});

it.each(['', 'one:2113', 'http://one', 'esdb://', 'esdb://ada:secret@', 'esdb://one'])(
  'refuses %o without showing it',
  (url) => {
    expect(() => addressOf(url)).toThrow(/^EVENTSTORE_URL (?:is no|needs)/);
    expect(() => addressOf(url)).not.toThrow(/secret/);
  },
);

it('reads which servers are reached over TLS, and which certificates are trusted', () => {
  const url = 'esdb://ada:secret@one:1113,two?tlsCAFile=%2Fetc%2Fca%20one.crt';
  expect(addressOf(url).tls).toEqual({
    hosts: [
      { host: 'one', port: 1113 },
      { host: 'two', port: 2113 },
    ],
    caFile: '/etc/ca one.crt',
  });
  expect(addressOf('esdb://ada:secret@one').tls?.caFile).toBe(null);
  expect(addressOf('esdb://one?tls=false').tls).toBe(null);
});

it.each([
  ['esdb://a,b,c:1?tls=false', 'b:2113', 'esdb://a,c:1?tls=false'],
  ['esdb://a,b,c:1?tls=false', 'c:1', 'esdb://a,b?tls=false'],
  ['esdb://a,b,c', 'd:2113', 'esdb://a,b,c'],
  ['esdb://a,b,c', null, 'esdb://a,b,c'],
  ['esdb://a,b?tls=false', 'b:2113', 'esdb://a,b?tls=false'],
  ['esdb+discover://a?tls=false', 'a:2113', 'esdb+discover://a?tls=false'],
])('%s without %s is %s', (connection, place, rest) =>
  expect(withoutHost(connection, place)).toBe(rest),
);
