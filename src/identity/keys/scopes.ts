/**
 * The permissions of a key: interface.md «Authentication» 2. They come only from its scope in this
 * table. Routes that accept only portal sessions declare it themselves.
 */
import type { KeyScope } from '../../domain/keys/events.ts';
import type { Permission } from '../permissions.ts';

/** Scope → its permissions. A scope without a row does not compile. */
export type ScopeTable = Readonly<Record<KeyScope, ReadonlySet<Permission>>>;

const lifecycle = ['platform.sandboxes:read', 'platform.sandboxes:write'] as const;

export const scopeTable: ScopeTable = {
  sandbox: new Set(lifecycle),
  /** Reserved for publishing modules. */
  publish: new Set(),
  full: new Set([...lifecycle, 'platform.keys:read', 'platform.keys:write']),
};

/** Whether a key of any scope has this permission. */
export const opensSome = (permission: Permission): boolean =>
  Object.values(scopeTable).some((permissions) => permissions.has(permission));
