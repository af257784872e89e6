/**
 * Solves proof-of-work challenges. It needs `crypto.subtle`, which browsers provide on https only.
 */
import type { Challenge } from './requests.ts';

/** Hashes per batch; between batches the page can do other work. */
const AT_ONCE = 64;
/** A proof that expires sooner than this is not sent, in milliseconds. */
const LEFT_MIN_MS = 30_000;

const encoder = new TextEncoder();

const zeroBits = async (text: string): Promise<number> => {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return Math.clz32(new DataView(hash).getUint32(0));
};

/** `<challenge>.<answer>`. */
export const solve = async ({ challenge, bits }: Challenge): Promise<string> => {
  for (let first = 0; ; first += AT_ONCE) {
    const proofs = Array.from({ length: AT_ONCE }, (_, at) => `${challenge}.${first + at}`);
    const found = await Promise.all(proofs.map(zeroBits));
    const at = found.findIndex((zeros) => zeros >= bits);
    if (at >= 0) return proofs[at]!;
  }
};

export interface ProofSource {
  /** Starts to solve a challenge, so that a later `take` need not wait. */
  readonly prepare: () => void;
  /** An unused proof; `null` if this browser cannot compute one. */
  readonly take: () => Promise<string | null>;
}

/** @param now The clock of this browser: if it is wrong, a proof is computed once more. */
export const proofSource = (
  ask: () => Promise<Challenge>,
  now: () => number = Date.now,
): ProofSource => {
  let coming: Promise<{ readonly proof: string; readonly untilMs: number }> | null = null;
  const solved = async () => {
    const challenge = await ask();
    const untilMs = Math.max(now(), Date.parse(challenge.expiresAt)) - LEFT_MIN_MS;
    return { proof: await solve(challenge), untilMs };
  };
  const begin = () => {
    coming ??= solved();
    // `take` tries again and reports the error.
    coming.catch(() => (coming = null));
    return coming;
  };
  const canSolve = () => 'subtle' in crypto;
  return {
    prepare: () => void (canSolve() && begin()),
    async take() {
      if (!canSolve()) return null;
      let next = await begin();
      if (next.untilMs < now()) {
        coming = null;
        next = await begin();
      }
      coming = null;
      return next.proof;
    },
  };
};
