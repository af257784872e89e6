/** Finds the number that a challenge asks for. It needs `crypto.subtle`, which is on https only. */
import type { Challenge } from './requests.ts';

/** Hashes that are computed between two looks at the page's other work. */
const AT_ONCE = 64;
/** A proof is not sent when so little of its time is left, in milliseconds. */
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
  /** Begins to solve a challenge, so that a later `take` need not wait. */
  readonly prepare: () => void;
  /** A proof that was not taken before; `null`: this browser cannot compute one. */
  readonly take: () => Promise<string | null>;
}

/** @param now Of this browser: where its clock is wrong, a proof is computed once more. */
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
    // Asked again by `take`, which says what went wrong.
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
