import { expect, it } from 'vitest';
import { codingFor } from '../../../src/api/http/accept-encoding.ts';

it.each([
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip; q=0.5 , br ; q=0.5', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['gzip;q=0.5, identity', null],
  ['gzip;q=0', null],
  ['gzip;q=0.000, br;q=0', null],
  ['*;q=0', null],
  ['deflate, zstd', null],
  ['identity', null],
  ['', null],
  [undefined, null],
  // A malformed header accepts no encoding.
  ['gzip;q=2', null],
  ['gzip;q=x', null],
  ['gzip;level=9', null],
  ['gzip;q=1;q=0', null],
  ['__proto__, gzip;q=0.3', 'gzip'],
])('%s is answered in %s', (accepted, coding) => expect(codingFor(accepted)).toBe(coding));
