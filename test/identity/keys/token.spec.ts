import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKey } from '../../../src/identity/keys/key-authority.ts';
import {
  isKeyId,
  keyringOf,
  keyringOfKey,
  newKeyId,
  newToken,
  readToken,
} from '../../../src/identity/keys/token.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const characters = BASE62.split('');

const minted = () => {
  const keyId = newKeyId('acme');
  return { keyId, ...newToken(keyId) };
};

describe('a token', () => {
  it('is atr_, 22 characters of key id, _, 43 of secret and 6 of checksum', () => {
    const { token, keyId } = minted();
    expect(token).toMatch(/^atr_[0-9A-Za-z]{22}_[0-9A-Za-z]{49}$/);
    expect(token.slice(4, 26)).toBe(keyId);
    expect(isKey(token)).toBe(true);
  });

  it('contains its key id, and matches only the hash of its own secret', () => {
    const { token, keyId, secretHash } = minted();
    const read = readToken(token)!;
    expect(read.keyId).toBe(keyId);
    expect(read.hasHash(secretHash)).toBe(true);
    expect(read.hasHash(minted().secretHash)).toBe(false);
    for (const broken of ['', 'zz', secretHash.slice(2), `${secretHash}00`]) {
      expect(read.hasHash(broken)).toBe(false);
    }
  });

  it('is stored as the SHA-256 of the secret', () => {
    const { token, secretHash } = minted();
    const secret = token.slice(27, 27 + 43);
    expect(createHash('sha256').update(secret).digest('hex')).toBe(secretHash);
  });

  it('ends with a CRC-32 of the characters before, in base62, left-padded', () => {
    for (const digit of ['0', 'A', 'z']) {
      const said = `atr_${digit.repeat(22)}_${digit.repeat(43)}`;
      expect(readToken(said + checksumOf(said))?.keyId).toBe(digit.repeat(22));
    }
    const { token } = minted();
    expect(token.slice(-6)).toBe(checksumOf(token.slice(0, -6)));
  });

  it('with one character changed is invalid', () => {
    const { token } = minted();
    for (let at = 0; at < token.length; at += 1) {
      for (const character of [...characters, '_', '-', ' ', 'é']) {
        if (character === token[at]) continue;
        expect(readToken(token.slice(0, at) + character + token.slice(at + 1))).toBeNull();
      }
    }
  });

  it('with two adjacent characters swapped is invalid', () => {
    const { token } = minted();
    for (let at = 0; at < token.length - 1; at += 1) {
      const [a, b] = [token[at]!, token[at + 1]!];
      if (a === b) continue;
      expect(readToken(token.slice(0, at) + b + a + token.slice(at + 2))).toBeNull();
    }
  });

  it('of another length, padded or wrapped is invalid', () => {
    const { token } = minted();
    const others = [
      '',
      'atr_',
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      `${token}\0`,
      token.toUpperCase(),
      token.repeat(2),
      `atr_${'x'.repeat(1_000_000)}`,
      token.replace('atr_', 'svc_'),
      token.replace('_', '_\u0430'),
    ];
    for (const other of others) expect(readToken(other)).toBeNull();
  });

  it('is not parsed from other texts, and no text makes the parser throw', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readToken(text)).toBeNull();
        expect(readToken(`atr_${text}`)).toBeNull();
      }),
    ));

  it('is drawn evenly from the whole alphabet', () => {
    const counts = new Map<string, number>();
    const draws = 2_000;
    for (let draw = 0; draw < draws; draw += 1) {
      for (const character of minted().token.slice(27, 70)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (draws * 43) / BASE62.length;
    const chiSquare = characters.reduce(
      (sum, character) => sum + ((counts.get(character) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // 61 degrees of freedom: exceeded once in ten million runs.
    expect(chiSquare).toBeLessThan(135);
  });
});

describe('a key id', () => {
  it('begins with the keyring of its organisation, and ends in characters of its own', () => {
    const [one, two] = [newKeyId('acme'), newKeyId('acme')];
    expect(keyringOfKey(one)).toBe(keyringOf('acme'));
    expect(keyringOfKey(two)).toBe(keyringOf('acme'));
    expect(one).not.toBe(two);
    expect(keyringOf('globex')).not.toBe(keyringOf('acme'));
  });

  it('names the keyring by the SHA-256 of the organisation, the same for ever', () => {
    // A stored stream is found by this name: it may never change.
    expect(keyringOf('acme')).toBe('mH9dZugl6CwR');
    expect(keyringOf('Zürich')).toMatch(/^[0-9A-Za-z]{12}$/);
  });

  it.each(['', 'a'.repeat(21), 'a'.repeat(23), `${'a'.repeat(21)}-`, `${'a'.repeat(22)}\n`])(
    'is not %j',
    (text) => expect(isKeyId(text)).toBe(false),
  );
});

/** The polynomial's long division, bit by bit, apart from the code that is tested. */
const checksumOf = (said: string): string => {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(said)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let digit = 0; digit < 6; digit += 1) {
    digits = BASE62[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};
