/** The reports, what they are grouped by, and which filters they take. contract.md section 5. */

export const reportNames = [
  'backlog',
  'throughput',
  'response',
  'resolution',
  'attainment',
  'reopened',
] as const;
export type ReportName = (typeof reportNames)[number];

export const reportGroups = [
  'building',
  'storey',
  'space',
  'category',
  'team',
  'elementType',
  'priority',
] as const;
/** A ticket counts under what it is now, also for what happened to it before. */
export type ReportGroup = (typeof reportGroups)[number];

/** All must hold of a ticket as it is now. */
export interface ReportFilter {
  readonly buildingId?: string | undefined;
  readonly storeyId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly elementId?: string | undefined;
  readonly assignedTeamId?: string | undefined;
  /** One of these. */
  readonly category?: readonly string[] | undefined;
  readonly priority?: readonly string[] | undefined;
}
