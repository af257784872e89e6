/**
 * The format of an API key: `atr_` + key id + `_` + secret + checksum, all base62. The key id names
 * the key's keyring, so that no index is needed; the checksum detects malformed tokens without a
 * look-up, and lets scanners find real ones. contract.md section 3.
 */
import { createHash, hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_PREFIX = 'atr_';

/** The part of the key id that identifies the organisation's keyring. */
const KEYRING_CHARACTERS = 12;
const KEY_RANDOM_CHARACTERS = 10;
const KEY_ID_CHARACTERS = KEYRING_CHARACTERS + KEY_RANDOM_CHARACTERS;
/** 256 bits. */
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const FORM = new RegExp(
  `^${KEY_PREFIX}([0-9A-Za-z]{${KEY_ID_CHARACTERS}})_` +
    `([0-9A-Za-z]{${SECRET_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`,
);

/** The format of a key id. */
export const KEY_ID = new RegExp(`^[0-9A-Za-z]{${KEY_ID_CHARACTERS}}$`);

export const isKeyId = (text: string): boolean => KEY_ID.test(text);

/** The key of the keyring's stream: `keyring-<this>`. */
export const keyringOf = (organisation: string): string => {
  const digest = createHash('sha256').update(organisation).digest('hex');
  return base62(BigInt(`0x${digest}`), KEYRING_CHARACTERS);
};

/** The key of the stream of the keyring that a key id names. */
export const keyringOfKey = (keyId: string): string => keyId.slice(0, KEYRING_CHARACTERS);

export const newKeyId = (organisation: string): string =>
  keyringOf(organisation) + randomBase62(KEY_RANDOM_CHARACTERS);

export interface NewToken {
  /** The plaintext, which only the answer of the mint may contain. */
  readonly token: string;
  readonly secretHash: string;
}

export const newToken = (keyId: string): NewToken => {
  const secret = randomBase62(SECRET_CHARACTERS);
  const unchecked = `${KEY_PREFIX}${keyId}_${secret}`;
  return { token: unchecked + checksumOf(unchecked), secretHash: hashOf(secret) };
};

export interface ReadToken {
  readonly keyId: string;
  /** Whether the token's secret has this hash, in constant time. */
  readonly hasHash: (secretHash: string) => boolean;
}

/** Parses a token; `null` for any other format. */
export const readToken = (token: string): ReadToken | null => {
  const parts = FORM.exec(token);
  if (!parts) return null;
  const [, keyId, secret, checksum] = parts;
  if (checksumOf(token.slice(0, -CHECKSUM_CHARACTERS)) !== checksum) return null;
  const secretHash = Buffer.from(hashOf(secret!), 'hex');
  return {
    keyId: keyId!,
    hasHash: (other) => {
      const bytes = Buffer.from(other, 'hex');
      return bytes.length === secretHash.length && timingSafeEqual(bytes, secretHash);
    },
  };
};

const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

/** With numbers instead of bigints, because it runs for every request. 62⁶ exceeds any CRC. */
const checksumOf = (unchecked: string): string => {
  let rest = crc32(unchecked);
  let digits = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    digits = ALPHABET[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

/** The last `characters` digits, left-padded. */
const base62 = (value: bigint, characters: number): string => {
  let rest = value;
  let digits = '';
  while (digits.length < characters) {
    digits = ALPHABET[Number(rest % 62n)]! + digits;
    rest /= 62n;
  }
  return digits;
};

const randomBase62 = (characters: number): string =>
  Array.from({ length: characters }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
