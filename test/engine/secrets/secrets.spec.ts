import { randomBytes } from 'node:crypto';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CannotOpen, keptKey, secretsOf } from '../../../src/engine/secrets/secrets.ts';

const [old, young] = [randomBytes(32), randomBytes(32)];

it('opens what it sealed, for the same stream', () => {
  const secrets = secretsOf([old]);
  expect(secrets.open(secrets.seal('whsec_…', 'subscription-1'), 'subscription-1')).toBe('whsec_…');
});

it('never seals the same text to the same bytes', () => {
  const secrets = secretsOf([old]);
  expect(secrets.seal('a', 's-1')).not.toBe(secrets.seal('a', 's-1'));
});

it('does not open what was sealed for another stream, or altered', () => {
  const secrets = secretsOf([old]);
  const sealed = secrets.seal('a', 's-1');
  expect(() => secrets.open(sealed, 's-2')).toThrow(CannotOpen);
  const parts = sealed.split('.');
  const body = Buffer.from(parts[3]!, 'base64url');
  body[0]! ^= 1;
  const altered = [...parts.slice(0, 3), body.toString('base64url')].join('.');
  expect(() => secrets.open(altered, 's-1')).toThrow(CannotOpen);
});

it('seals with the first key and opens with all, so that a key can be replaced', () => {
  const before = secretsOf([old]).seal('a', 's-1');
  const both = secretsOf([young, old]);
  expect(both.open(before, 's-1')).toBe('a');
  expect(() => secretsOf([old]).open(both.seal('a', 's-1'), 's-1')).toThrow(CannotOpen);
});

it('draws the development key once and keeps it from others', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'atrium-key-')), 'deep', 'secrets.key');
  const key = keptKey(file);
  expect(key).toHaveLength(32);
  expect(keptKey(file)).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
