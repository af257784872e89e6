import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/identity/permissions.ts';
import { permissionsOf, permissionTable, roles } from '../../src/identity/permissions.ts';

/** Copied from the contract, section 2, not imported. */
const contract = `
  | permission|manager|developer|agent|auditor|viewer|operator|integration|requester |
  | platform.keys:read | x | x | | x | | |  |  |
  | platform.keys:write | x | x | | | | |  |  |
  | platform.audit:read | x | | | x | | x |  |  |
  | platform.sandboxes:read | x | x | | | | |  |  |
  | platform.sandboxes:write | x | x | | | | |  |  |
  | platform.webhooks:read | x | x | | x | | |  |  |
  | platform.webhooks:write | x | | | | | |  |  |
  | platform.buildings:read | x | x | x | x | x | | x |  |
  | platform.buildings:write | x | | | | | | x |  |
  | platform.telemetry:write | x | x | | | | | x |  |
  | service-desk.tickets:read | x | | x | x | x | | x |  |
  | service-desk.tickets:write | x | | x | | | | x |  |
  | service-desk.configuration:write | x | | | | | |  |  |
  | service-desk.reports:read | x | | x | x | | |  |  |
  | service-desk.own:read | | | | | | | | x |
  | service-desk.own:write | | | | | | | | x |
  | platform.bus:read | | | | | | x | x |  |
  | platform.bus:publish | | | | | | x | x |  |
  | platform.operations:read | | | | | | x |  |  |
  | platform.operations:write | | | | | | x |  |  |
  | platform.erasure:write | x | | | | | |  |  |
`;
const [head = [], ...rows] = contract
  .trim()
  .split('\n')
  .map((row) =>
    row
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

describe('permissions', () => {
  it('are exactly the permissions and roles of the contract', () => {
    expect(head.slice(1)).toEqual([...roles]);
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(permissions));
  });

  it.each(head.slice(1).map((role, index) => ({ role, index })))(
    'of $role are those of the contract',
    ({ role, index }) => {
      const given = rows.filter((row) => row[index + 1] === 'x').map(([name]) => name);
      expect(permissionsOf([role])).toEqual(new Set(given));
    },
  );

  it('of several roles are the union', () =>
    expect(permissionsOf(['viewer', 'operator'])).toEqual(
      new Set([...permissionsOf(['viewer']), ...permissionsOf(['operator'])]),
    ));

  it.each(['admin', 'Manager', 'manager ', '', '__proto__', 'constructor', 'offline_access'])(
    'of the unknown role %j are none',
    (role) => expect(permissionsOf([role]).size).toBe(0),
  );

  it('can be configured by the deployment', () =>
    expect(
      permissionsOf(['viewer'], { ...permissionTable, 'platform.bus:read': ['viewer'] }),
    ).toContain('platform.bus:read'));
});
