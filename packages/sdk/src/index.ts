/**
 * A typed client of Atrium, for Node 20 and newer and for browsers. `@stable` members follow
 * semantic versioning, and are removed six months after their deprecation at the earliest;
 * `@experimental` ones may change in any release.
 */
export type { Attachments, FileContent, NamedFile, SendOptions } from './attachments.ts';
export type { Call, CallResult, Calls, PathWith } from './calls.ts';
export { createAtrium, type Atrium, type AtriumOptions } from './client.ts';
export type { AdvanceOptions, Clock } from './clock.ts';
export { AtriumError, type Problem, type ProblemCode, type ProblemOf } from './problems.ts';
export type {
  AtriumEvent,
  BuildingEvent,
  EventOf,
  TicketEvent,
  WebhookEvent,
  WifiSensingEvent,
} from './events.ts';
export type { ChangePage, FeedOptions, FeedPage, Feeds } from './feeds.ts';
export type { FollowOptions, FollowStatus } from './following.ts';
export type { ItemOf, Items, ListPath } from './lists.ts';
export type { Retry } from './retries.ts';
export { SandboxNotReadyError, type Sandboxes, type WaitOptions } from './sandboxes.ts';
export {
  importLineOf,
  type ImportLine,
  type ImportOptions,
  type ImportOutcome,
  type Transfers,
} from './transfers.ts';
export type { components, operations, paths } from './openapi.ts';
export { AtriumUnreachableError } from './unreachable.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type ReceivedWebhook,
  type WebhookDelivery,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhooks.ts';
