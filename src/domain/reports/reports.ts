/** The reports, their groupings and their filters. contract.md section 5. */

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
/** A ticket counts under its current value, also for its earlier events. */
export type ReportGroup = (typeof reportGroups)[number];

/** A ticket must match all of them in its current state. */
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
