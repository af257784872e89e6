/**
 * The file of a checkpoint: JSON lines. The first line is a header, the last one the signature over
 * the bytes of all lines before it; the others have one journal each, with its chain's hashes.
 */
import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isSystemError, OperatorError } from '../operator-error.ts';
import type { CheckpointedJournal } from './journal-check.ts';
import { publicKeyOf } from './signing-key.ts';

export interface Header {
  /** The version of this format. */
  readonly atriumAuditCheckpoint: 1;
  /** Identity of the log. */
  readonly log: string;
  readonly madeAt: string;
}

export interface Checkpoint extends Header {
  readonly journals: readonly CheckpointedJournal[];
  /** SHA-256 of all lines but the last. */
  readonly sha256: string;
  /** Verifies the signature. */
  readonly publicKey: KeyObject;
}

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const header = z.strictObject({
  atriumAuditCheckpoint: z.literal(1),
  log: z.guid(),
  madeAt: z.iso.datetime({ precision: 3 }),
});
const journalLine = z.strictObject({
  journal: z.string().min(1),
  records: z.int().min(1),
  /** Revision and hash; the last pair is the chain's end. */
  heads: z.array(z.tuple([z.int().min(0), hex])).min(1),
});
const signatureLine = z.strictObject({
  sha256: hex,
  publicKey: z.base64(),
  signature: z.base64(),
});

const lineText = (value: object): string => `${JSON.stringify(value)}\n`;

export const headerLine = ({ atriumAuditCheckpoint, log, madeAt }: Header): string =>
  lineText({ atriumAuditCheckpoint, log, madeAt });

export const lineOf = ({ journal, records, heads }: CheckpointedJournal): string =>
  lineText({
    journal,
    records,
    heads: heads.map(({ revision, head }) => [revision, head.toString('hex')]),
  });

/** The last line, and the digest in it. */
export const signed = (
  lines: string,
  key: KeyObject,
): { readonly line: string; readonly sha256: string } => {
  const bytes = Buffer.from(lines);
  const sha256 = hash('sha256', bytes);
  const publicKey = publicKeyOf(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const signature = sign(null, bytes, key).toString('base64');
  return { line: lineText({ sha256, publicKey, signature }), sha256 };
};

/** @throws {@link OperatorError} if the file cannot be read, or its signature does not match. */
export const checkpointIn = (file: string): Checkpoint => {
  const bytes = read(file);
  const end = bytes.lastIndexOf('\n', -2) + 1;
  const body = bytes.subarray(0, end);
  try {
    const { sha256, publicKey: der, signature } = signatureLine.parse(jsonOf(bytes.subarray(end)));
    const publicKey = createPublicKey({
      key: Buffer.from(der, 'base64'),
      type: 'spki',
      format: 'der',
    });
    const isSigned = verify(null, body, publicKey, Buffer.from(signature, 'base64'));
    if (!isSigned || hash('sha256', body) !== sha256) throw new Error('it was changed');
    const [first, ...rest] = body.toString().trimEnd().split('\n');
    const journals = rest.map((line) => {
      const { journal, records, heads } = journalLine.parse(JSON.parse(line));
      const decoded = heads.map(([revision, head]) => ({
        revision,
        head: Buffer.from(head, 'hex'),
      }));
      return { journal, records, heads: decoded };
    });
    return { ...header.parse(JSON.parse(first!)), journals, sha256, publicKey };
  } catch (error) {
    throw new OperatorError(`${file} is no checkpoint as it was signed`, error);
  }
};

const jsonOf = (bytes: Buffer): unknown => JSON.parse(bytes.toString()) as unknown;

const read = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isSystemError(error)) throw new OperatorError(`${file}: ${error.message}`, error);
    throw error;
  }
};
