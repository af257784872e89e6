/**
 * The roles that open a page, for people whose role does not. A copy of the server's table,
 * compared with it by `test/portal.spec.ts`; roles of programs are left out.
 */
export const rolesFor = {
  'service-desk.tickets:read': ['manager', 'agent', 'auditor', 'viewer'],
  'service-desk.reports:read': ['manager', 'agent', 'auditor'],
  'service-desk.configuration:write': ['manager'],
  'platform.buildings:read': ['manager', 'developer', 'agent', 'auditor', 'viewer'],
  'platform.buildings:write': ['manager'],
  'platform.sandboxes:read': ['manager', 'developer'],
  'platform.webhooks:read': ['manager', 'developer', 'auditor'],
  'platform.keys:read': ['manager', 'developer', 'auditor'],
  'platform.erasure:write': ['manager'],
  'platform.audit:read': ['manager', 'auditor', 'operator'],
  'platform.operations:read': ['operator'],
} as const;
