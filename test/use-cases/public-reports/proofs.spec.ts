import { describe, expect, it } from 'vitest';
import { CHALLENGE_MAX_MS, PROOF_BITS } from '../../../src/domain/public-reports/limits.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { PROOF_CHARACTERS_MAX, proofsOf } from '../../../src/use-cases/public-reports/proofs.ts';
import { solved } from '../../support/api/proof.ts';

const key = (byte: number) => Buffer.alloc(32, byte);
const clock = virtualClock();
const proofs = proofsOf({ secrets: secretsOf([key(1)]), clock });

describe('a proof of work', () => {
  it("solves a challenge signed by any of the installation's keys", () => {
    const proof = solved(proofs.challenge());
    expect(proof.length).toBeLessThan(PROOF_CHARACTERS_MAX);
    const nonce = proof.split('.')[2];
    expect(proofs.check(proof)).toEqual({ nonce });
    const rotated = proofsOf({ secrets: secretsOf([key(2), key(1)]), clock });
    expect(rotated.check(proof)).toEqual({ nonce });
  });

  it('is invalid without the work', () => {
    const { challenge } = proofs.challenge();
    const proof = solved({ challenge, bits: PROOF_BITS });
    const answer = Number(proof.split('.')[4]);
    expect(proofs.check(`${challenge}.${answer - 1}`)).toEqual({ reason: 'invalid' });
  });

  it('is invalid for an easier, later or foreign challenge', () => {
    const [bits, expires, nonce, signature] = proofs.challenge().challenge.split('.');
    const easier = `0.${expires}.${nonce}.${signature}`;
    const later = `${bits}.${Number(expires) + 1}.${nonce}.${signature}`;
    const foreign = proofsOf({ secrets: secretsOf([key(3)]), clock }).challenge().challenge;
    for (const challenge of [easier, later, foreign])
      expect(proofs.check(solved({ challenge, bits: PROOF_BITS }))).toEqual({ reason: 'invalid' });
    for (const text of ['', '1', 'a.b.c.d.e', `${'9'.repeat(400)}.1`])
      expect(proofs.check(text)).toEqual({ reason: 'invalid' });
  });

  it('expires', () => {
    const proof = solved(proofs.challenge());
    clock.moveTo(clock.offsetMs + CHALLENGE_MAX_MS);
    expect(proofs.check(proof)).toEqual({ reason: 'expired' });
  });
});
