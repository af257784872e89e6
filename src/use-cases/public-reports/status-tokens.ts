/**
 * Tokens of status links: the ticket's id and its message authentication code, by a key of the
 * installation. So a repeated report is answered with the same link, and no token is stored.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parse as bytesOf, stringify as uuidOf } from 'uuid';
import type { Secrets } from '../../engine/secrets/secrets.ts';

/** 192 bits: infeasible to guess. */
const CODE_BYTES = 24;
const ID_BYTES = 16;
/** Characters of every token. */
export const STATUS_TOKEN_CHARACTERS = Math.ceil(((ID_BYTES + CODE_BYTES) * 4) / 3);

export interface StatusTokens {
  /**
   * The token of a ticket's link. After the keys of the installation have changed, it is the one
   * with the stored hash, as long as its key is configured.
   *
   * @param storedHash The hash of a link issued earlier. Default: a new link.
   */
  of(ticketId: string, storedHash?: string): string;
}

export const statusTokens = (secrets: Secrets): StatusTokens => {
  const keys = secrets.derived('status-link');
  const tokenBy = (key: Buffer, ticketId: string) =>
    Buffer.concat([
      bytesOf(ticketId),
      createHmac('sha256', key).update(ticketId).digest().subarray(0, CODE_BYTES),
    ]).toString('base64url');
  return {
    of(ticketId, storedHash) {
      const tokens = keys.map((key) => tokenBy(key, ticketId));
      return tokens.find((token) => hashOfToken(token) === storedHash) ?? tokens[0]!;
    },
  };
};

export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** Whether it is the token of the link with this hash. Compared in constant time. */
export const isTokenOf = (token: string, tokenHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOfToken(token), 'hex'), Buffer.from(tokenHash, 'hex'));

/** The ticket that a token names; `null`: not a token. */
export const ticketIdIn = (token: string): string | null => {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + CODE_BYTES || bytes.toString('base64url') !== token) return null;
  try {
    return uuidOf(bytes.subarray(0, ID_BYTES));
  } catch {
    return null;
  }
};
