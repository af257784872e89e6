import { createHash } from 'node:crypto';

/** Solves a challenge of `GET /api/service-desk/report/challenge`, as the page does. */
export const solved = ({
  challenge,
  bits,
}: {
  readonly challenge: string;
  readonly bits: number;
}): string => {
  for (let answer = 0; ; answer += 1) {
    const proof = `${challenge}.${answer}`;
    const hash = createHash('sha256').update(proof).digest();
    if (Math.clz32(hash.readUInt32BE(0)) >= bits) return proof;
  }
};
