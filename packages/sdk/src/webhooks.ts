import type { components } from './openapi.ts';

/** @stable */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** @stable */
export interface WebhookOptions {
  /** How far the time of the message may be from ours, in seconds. Default 300. */
  readonly toleranceS?: number;
}

/** What was posted. @stable */
export interface ReceivedWebhook {
  readonly event: components['schemas']['WebhookDeliveryAttempt']['event'];
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The same for a repeat: what has been handled under it is done. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
}

/** The message is not from who holds the secret, or not of now. @stable */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_S = 300;
const SECRET_PREFIX = 'whsec_';

/**
 * Checks who has sent a webhook, in constant time, and only then reads it. `X-SVC-Signature` (or
 * the one of the old secret beside it, for the day after a rotation) must be that of the raw body,
 * and where the headers of Standard Webhooks are there, so must theirs, and be of now.
 *
 * @param rawBody As it arrived, before anything parsed it.
 * @param secret As the create answered it, `whsec_` included.
 * @throws {@link WebhookVerificationError}
 * @stable
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceS = TOLERANCE_S }: WebhookOptions = {},
): Promise<ReceivedWebhook> => {
  const body = typeof rawBody === 'string' ? bytes(rawBody) : new Uint8Array(rawBody);
  const header = (name: string) => valueOf(headers, name);
  const signatures = [header('x-svc-signature'), header('x-svc-signature-previous')];
  if (!(await anyOf(signatures.map(hexBytes), bytes(secret), body)))
    throw new WebhookVerificationError('X-SVC-Signature is not that of this body and secret.');

  const id = header('webhook-id');
  if (id !== null) await verifyStandard(id, header, secret, body, toleranceS);
  const { event, data, timestamp } = JSON.parse(new TextDecoder().decode(body)) as ReceivedWebhook;
  return {
    event,
    data,
    timestamp,
    idempotencyKey: header('x-svc-idempotency-key') ?? id ?? '',
    attempt: Number(header('x-svc-delivery-attempt') ?? 1),
  };
};

/** Standard Webhooks 1.0.0: what was signed has its time in it, so that a copy grows old. */
const verifyStandard = async (
  id: string,
  header: (name: string) => string | null,
  secret: string,
  body: Uint8Array<ArrayBuffer>,
  toleranceS: number,
): Promise<void> => {
  const seconds = header('webhook-timestamp') ?? '';
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(Date.now() / 1000 - Number(seconds)) > toleranceS)
    throw new WebhookVerificationError('webhook-timestamp is not of now.');
  const listed = (header('webhook-signature') ?? '').split(' ');
  const signatures = listed.map((one) =>
    one.startsWith('v1,') ? base64Bytes(one.slice(3)) : null,
  );
  const key = base64Bytes(secret.slice(SECRET_PREFIX.length));
  const head = bytes(`${id}.${seconds}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  if (key === null || !(await anyOf(signatures, key, signed)))
    throw new WebhookVerificationError('webhook-signature is not that of this body and secret.');
};

type Bytes = Uint8Array<ArrayBuffer>;

/** Whether one of the signatures is right, compared by the platform: in constant time. */
const anyOf = async (
  signatures: readonly (Bytes | null)[],
  key: Bytes,
  signed: Bytes,
): Promise<boolean> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmac = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  const each = signatures.map(
    async (signature) =>
      signature !== null && (await crypto.subtle.verify('HMAC', hmac, signature, signed)),
  );
  return (await Promise.all(each)).includes(true);
};

const bytes = (text: string): Bytes => new TextEncoder().encode(text);

const hexBytes = (hex: string | null): Bytes | null =>
  hex !== null && /^([0-9a-f]{2})+$/i.test(hex)
    ? Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16))
    : null;

const base64Bytes = (text: string): Bytes | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

const valueOf = (headers: WebhookHeaders, name: string): string | null => {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = found?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
};
