/**
 * Proofs of work: a signed challenge, which the server does not store, and a number that is costly
 * to find. Used proofs are recorded with the reports that used them (`admissions.ts`).
 * docs/decisions/0106.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CHALLENGE_MAX_MS, PROOF_BITS } from '../../domain/public-reports/limits.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import type { Clock } from '../../engine/time/clock.ts';

export interface Challenge {
  /** `<bits>.<expiry in ms>.<nonce>.<signature>`. */
  readonly challenge: string;
  /** Leading zero bits that the SHA-256 of `<challenge>.<answer>` must have. */
  readonly bits: number;
  readonly expiresAt: Instant;
}

export interface Proofs {
  readonly challenge: () => Challenge;
  /**
   * The nonce of the challenge that `<challenge>.<answer>` solves, or the reason for a rejection.
   *
   * @returns `invalid` for any text that does not solve a challenge of this installation.
   */
  readonly check: (
    proof: string,
  ) => { readonly nonce: string } | { readonly reason: 'invalid' | 'expired' };
}

const NONCE_BYTES = 16;
/** Characters of the longest proof, with an answer of 15 digits. */
export const PROOF_CHARACTERS_MAX = 120;

const FORM = /^(\d{1,2}\.\d{1,15}\.([\w-]{22}))\.([\w-]{43})\.\d{1,15}$/;

export const proofsOf = ({
  secrets,
  clock,
}: {
  readonly secrets: Secrets;
  readonly clock: Clock;
}): Proofs => {
  const keys = secrets.derived('report-challenge');
  const signature = (key: Buffer, signed: string) =>
    createHmac('sha256', key).update(signed).digest();
  const nowMs = () => Date.parse(clock.now());
  return {
    challenge() {
      const expiresMs = nowMs() + CHALLENGE_MAX_MS;
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const signed = `${PROOF_BITS}.${expiresMs}.${nonce}`;
      return {
        challenge: `${signed}.${signature(keys[0]!, signed).toString('base64url')}`,
        bits: PROOF_BITS,
        expiresAt: new Date(expiresMs).toISOString(),
      };
    },

    check(proof) {
      const [, signed, nonce, signatureText] = FORM.exec(proof) ?? [];
      if (signed === undefined || nonce === undefined) return { reason: 'invalid' };
      const received = Buffer.from(signatureText!, 'base64url');
      const isOurs = keys.some((key) => {
        const expected = signature(key, signed);
        return expected.length === received.length && timingSafeEqual(expected, received);
      });
      const [bits, expiresMs] = signed.split('.').map(Number) as [number, number];
      if (!isOurs || zeroBits(createHash('sha256').update(proof).digest()) < bits)
        return { reason: 'invalid' };
      return nowMs() < expiresMs ? { nonce } : { reason: 'expired' };
    },
  };
};

/** Leading zero bits, 32 at most. */
const zeroBits = (hash: Buffer): number => Math.clz32(hash.readUInt32BE(0));
