/** The refusal codes that this application adds to the engine's. */

/** `src/api/http/problems.ts` gives each its status. */
export type ApplicationRefusalCode =
  | 'KEY_LIMIT_REACHED'
  | 'RULE_LIMIT_REACHED'
  | 'SANDBOX_QUOTA_REACHED'
  | 'EXTENSION_LIMIT_REACHED'
  | 'SANDBOX_TOO_LARGE'
  | 'TTL_TOO_LONG'
  | 'SANDBOX_NOT_READY'
  | 'SNAPSHOT_LIMIT_REACHED'
  | 'SNAPSHOT_NOT_READY'
  | 'PERSONAL_DATA_NOT_SEALED'
  | 'SNAPSHOT_GONE'
  | 'TRANSITION_NOT_ALLOWED'
  | 'REOPEN_TOO_LATE'
  | 'RATING_NOT_ALLOWED'
  | 'ALREADY_RATED'
  | 'TICKET_CLOSED'
  | 'TICKET_FULL'
  | 'ATTACHMENT_REFUSED'
  | 'EDGE_NOT_IN_GRAPH'
  | 'LOCATION_CONTRADICTION'
  | 'REFERENCE_NOT_FOUND'
  | 'WEBHOOK_URL_REFUSED'
  | 'EVENT_NOT_SUBSCRIBABLE'
  | 'WEBHOOK_LIMIT_REACHED'
  | 'VIEW_LIMIT_REACHED'
  | 'PERMISSION_DENIED'
  | 'PROOF_REQUIRED'
  | 'PAYLOAD_TOO_LARGE';

export type ApplicationOrigin = 'work_order' | 'sla' | 'import';

declare module '../engine/refusal.ts' {
  interface RefusalCodes extends Readonly<Record<ApplicationRefusalCode, true>> {}
}
declare module '../engine/log/metadata.ts' {
  interface Origins extends Readonly<Record<ApplicationOrigin, true>> {}
}
