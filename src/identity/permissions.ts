/**
 * The permissions of roles: contract.md section 2, row by row. Permissions come only from roles in
 * this table; a `permissions` claim in a token is ignored.
 */
export const roles = [
  'manager',
  'developer',
  'agent',
  'auditor',
  'viewer',
  'operator',
  'integration',
  'requester',
] as const;

export type Role = (typeof roles)[number];

/** Permission → the roles that hold it. */
export const permissionTable = {
  'platform.keys:read': ['manager', 'developer', 'auditor'],
  'platform.keys:write': ['manager', 'developer'],
  'platform.audit:read': ['manager', 'auditor', 'operator'],
  'platform.sandboxes:read': ['manager', 'developer'],
  'platform.sandboxes:write': ['manager', 'developer'],
  'platform.webhooks:read': ['manager', 'developer', 'auditor'],
  'platform.webhooks:write': ['manager'],
  'platform.buildings:read': ['manager', 'developer', 'agent', 'auditor', 'viewer', 'integration'],
  'platform.buildings:write': ['manager', 'integration'],
  'platform.telemetry:write': ['manager', 'developer', 'integration'],
  'service-desk.tickets:read': ['manager', 'agent', 'auditor', 'viewer', 'integration'],
  'service-desk.tickets:write': ['manager', 'agent', 'integration'],
  'service-desk.configuration:write': ['manager'],
  'service-desk.reports:read': ['manager', 'agent', 'auditor'],
  'service-desk.own:read': ['requester'],
  'service-desk.own:write': ['requester'],
  'platform.bus:read': ['operator', 'integration'],
  'platform.bus:publish': ['operator', 'integration'],
  'platform.operations:read': ['operator'],
  'platform.operations:write': ['operator'],
  'platform.erasure:write': ['manager'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof permissionTable;

export type PermissionTable = Readonly<Record<Permission, readonly Role[]>>;

/** In the order of the table. */
export const permissions = Object.keys(permissionTable) as readonly Permission[];

/** The distinct roles among `names`, in the order of the table. */
export const knownRoles = (names: readonly string[]): readonly Role[] =>
  roles.filter((role) => names.includes(role));

/**
 * The permissions of these roles. Unknown roles are ignored.
 *
 * @param table A deployment's own table. Default {@link permissionTable}.
 */
export const permissionsOf = (
  names: readonly string[],
  table: PermissionTable = permissionTable,
): ReadonlySet<Permission> =>
  new Set(permissions.filter((permission) => table[permission].some((r) => names.includes(r))));

/** Whether a caller with these roles only reports to the service desk. */
export const isOnlyRequester = (names: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => name === ('requester' satisfies Role));
