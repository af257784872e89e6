import createClient, { type Middleware } from 'openapi-fetch';
import { attachmentsOf, type Attachments } from './attachments.ts';
import type { Calls } from './calls.ts';
import { clockOf, type Clock } from './clock.ts';
import { auditFeed, changeFeed, type Feeds } from './feeds.ts';
import { itemsOf, type Items } from './lists.ts';
import type { paths } from './openapi.ts';
import { RETRY_BUDGET_MS } from './following.ts';
import { errorOf, isJson } from './problems.ts';
import { persistently, type Retry, type RetryPolicy } from './retries.ts';
import { sandboxesOf, type Sandboxes } from './sandboxes.ts';
import { transfersOf, type Transfers } from './transfers.ts';
import { AtriumUnreachableError } from './unreachable.ts';

/** @stable */
export interface AtriumOptions {
  /** Of the server or of a sandbox: `https://atrium.example`. */
  readonly url: string;
  /**
   * An access token or an API key; a function is asked for each request. Default: none, for pages
   * of the server itself, whose session is a cookie.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** Attempts after the first, on broken connections, 429 and 503. Default 4. */
  readonly retries?: number;
  /**
   * Instead of `retries`: how long a request is retried, in milliseconds from its first failure.
   * Feeds, the live service and an advancing clock use 60,000 by default.
   */
  readonly retryBudgetMs?: number;
  /** Called before each pause. It must not throw. */
  readonly onRetry?: (retry: Retry) => void;
  /**
   * For one attempt, in milliseconds; `Infinity`: no limit. Default 30,000; feeds add what they
   * wait.
   */
  readonly timeoutMs?: number;
  /** Default: the platform's. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Every route of the API by its path and method, typed by the server's OpenAPI document. An answer
 * that is no success is thrown as an {@link AtriumError}, so that `data` is there. Each command is
 * given an `Idempotency-Key`, unless it has one, and is sent again under it. Without an answer an
 * `AtriumUnreachableError` is thrown.
 *
 * @stable
 */
export interface Atrium extends Calls, Feeds {
  /** Every item of a list, page after page, whichever way the list is paged. */
  readonly items: Items;
  readonly sandboxes: Sandboxes;
  /** The virtual clock. @experimental */
  readonly clock: Clock;
  /** Files of tickets. @experimental */
  readonly attachments: Attachments;
  /** Tickets in bulk. @experimental */
  readonly transfers: Transfers;
}

const RETRIES = 4;
const TIMEOUT_MS = 30_000;

/** Sends no request yet. @stable */
export const createAtrium = (options: AtriumOptions): Atrium => {
  const client = clientOf(options, options.timeoutMs ?? TIMEOUT_MS);
  // A feed waits for the server, which waits for something to happen.
  const patientMs = (options.timeoutMs ?? TIMEOUT_MS) + FEED_WAIT_MAX_MS;
  const { retryBudgetMs, onRetry, ...others } = options;
  const partsWithin = (timeoutMs: number) => ({
    client: clientOf(options, timeoutMs),
    single: clientOf({ ...others, retries: 0 }, timeoutMs),
  });
  const patient = partsWithin(patientMs);
  const feeds = { ...patient, retryBudgetMs, onRetry };
  const policy = policyOf(options);
  const { GET, POST, PUT, PATCH, DELETE } = client;
  return {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE,
    items: itemsOf(client),
    sandboxes: sandboxesOf(client),
    // An advance is awaited by the server for 30 s.
    clock: clockOf(patient, { budgetMs: retryBudgetMs ?? RETRY_BUDGET_MS, onRetry }),
    changes: changeFeed(feeds),
    audit: auditFeed(feeds),
    attachments: attachmentsOf(partsWithin(UPLOAD_MAX_MS), policy),
    transfers: transfersOf(partsWithin(TRANSFER_MAX_MS), policy),
  };
};

const FEED_WAIT_MAX_MS = 25_000;
/** As long as the server gives a form with files. */
const UPLOAD_MAX_MS = 300_000;
/** As long as the server gives an import. */
const TRANSFER_MAX_MS = 3_600_000;

const policyOf = (options: AtriumOptions): RetryPolicy => {
  const { retries = RETRIES, retryBudgetMs: budgetMs, onRetry } = options;
  return { ...(budgetMs === undefined ? { retries } : { budgetMs }), onRetry };
};

const clientOf = (options: AtriumOptions, timeoutMs: number): Calls => {
  const { url, token } = options;
  const { fetch = (request: Request) => globalThis.fetch(request) } = options;
  const client = createClient<paths, 'application/json'>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: persistently({ ...policyOf(options), timeoutMs, fetch }),
    // As the document says of every list in a query, and of filters by fields.
    querySerializer: {
      array: { style: 'form', explode: false },
      object: { style: 'form', explode: true },
    },
  });
  client.use(identified(token), refusing);
  // `refusing` throws for an unsuccessful answer, so `data` is defined.
  return client as Calls;
};

const COMMANDS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const identified = (token: AtriumOptions['token']): Middleware => ({
  async onRequest({ request }) {
    const { headers } = request;
    if (token !== undefined && !headers.has('authorization')) {
      const bearer = typeof token === 'string' ? token : await token();
      headers.set('authorization', `Bearer ${bearer}`);
    }
    if (COMMANDS.has(request.method) && !headers.has('idempotency-key'))
      headers.set('idempotency-key', crypto.randomUUID());
    return request;
  },
});

const refusing: Middleware = {
  async onResponse({ request, response, options }) {
    // 304: what the caller has is what there is.
    if (!response.ok && response.status !== 304) throw await errorOf(response);
    // A page of a proxy, such as a sign-in, may have the status of a success.
    const type = response.headers.get('content-type');
    if (response.ok && options.parseAs === 'json' && type !== null && !isJson(response)) {
      const asked = { method: request.method, path: new URL(request.url).pathname };
      throw new AtriumUnreachableError(asked, 1, new Error(`${response.status} ${type}, not JSON`));
    }
  },
};
