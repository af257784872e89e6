import type { WebhookEvent } from './events.ts';

/** @stable */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** @stable */
export interface WebhookOptions {
  /** How far the time of the message may be from ours, in seconds. Default 300. */
  readonly toleranceS?: number;
}

/** A verified webhook; `event` determines the type of `data`. @stable */
export type ReceivedWebhook = WebhookEvent & WebhookDelivery;

/** @stable */
export interface WebhookDelivery {
  /** The same for each attempt: a receiver handles it once. */
  readonly idempotencyKey: string;
  /** From 1. Not signed: for logs, not for decisions. */
  readonly attempt: number;
}

/** The message was not signed with the secret, or is too old. @stable */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_S = 300;
const SECRET_PREFIX = 'whsec_';
const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Verifies a webhook's signatures in constant time before it parses the body. `X-SVC-Signature`, or
 * one that `X-SVC-Signature-Previous` lists (of the secrets replaced in the last 24 hours), must be
 * that of the raw body. The headers of Standard Webhooks are required too: their signed time limits
 * replays. `X-SVC-Idempotency-Key` is not signed, and must equal the key derived from signed
 * values. `X-SVC-Delivery-Attempt` cannot be verified.
 *
 * @param rawBody As it arrived, before anything parsed it.
 * @param secret As the create answered it, `whsec_` included.
 * @throws {@link WebhookVerificationError}, also for a malformed secret.
 * @stable
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceS = TOLERANCE_S }: WebhookOptions = {},
): Promise<ReceivedWebhook> => {
  const key = standardKey(secret);
  const body = typeof rawBody === 'string' ? bytes(rawBody) : new Uint8Array(rawBody);
  const header = (name: string) => valueOf(headers, name);
  const previous = header('x-svc-signature-previous')?.split(',') ?? [];
  const signatures = [header('x-svc-signature'), ...previous.map((one) => one.trim())];
  if (!(await anyOf(signatures.map(hexBytes), bytes(secret), body)))
    throw new WebhookVerificationError('X-SVC-Signature is not that of this body and secret.');

  const id = await signedId(header, key, body, toleranceS);
  const posted = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  const { event, data, timestamp } = posted;
  const idempotencyKey = `${id}:${event}:${Date.parse(timestamp)}`;
  if (header('x-svc-idempotency-key') !== idempotencyKey)
    throw new WebhookVerificationError(
      'X-SVC-Idempotency-Key is not that of the signed webhook-id and body.',
    );
  const attempt = Number(header('x-svc-delivery-attempt') ?? 1);
  return { event, data, timestamp, idempotencyKey, attempt } as ReceivedWebhook;
};

/** The key of Standard Webhooks: base64 after the prefix. */
const standardKey = (secret: string | undefined): Bytes => {
  const key = secret?.startsWith(SECRET_PREFIX)
    ? base64Bytes(secret.slice(SECRET_PREFIX.length))
    : null;
  if (key === null || key.length === 0)
    throw new WebhookVerificationError(
      `The secret is none: give the whole one that the create answered, ${SECRET_PREFIX}….`,
    );
  return key;
};

/** Standard Webhooks 1.0.0: what was signed has its id and time in it. */
const signedId = async (
  header: (name: string) => string | null,
  key: Bytes,
  body: Bytes,
  toleranceS: number,
): Promise<string> => {
  const [id, seconds, listed] = STANDARD_HEADERS.map((name) => {
    const value = header(name);
    if (!value) throw new WebhookVerificationError(`${name} is missing.`);
    return value;
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(seconds) || !(secondsFromNow(seconds) <= toleranceS))
    throw new WebhookVerificationError('webhook-timestamp is not of now.');
  const signatures = listed
    .split(' ')
    .map((one) => (one.startsWith('v1,') ? base64Bytes(one.slice(3)) : null));
  const head = bytes(`${id}.${seconds}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  if (!(await anyOf(signatures, key, signed)))
    throw new WebhookVerificationError('webhook-signature is not that of this body and secret.');
  return id;
};

const secondsFromNow = (seconds: string): number => Math.abs(Date.now() / 1000 - Number(seconds));

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

/** Of the platform, or of a package such as undici. */
const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> =>
  typeof headers.get === 'function';

const valueOf = (headers: WebhookHeaders, name: string): string | null => {
  if (isHeaders(headers)) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = found?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
};
