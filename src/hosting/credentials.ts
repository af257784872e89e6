/** Permissions at the address of a sandbox: contract.md section 2. */
import { developerOf } from '../api/sandboxes/names.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { NotForCaller, OrganisationRequired, type Identity } from '../identity/caller.ts';
import type { KeyAuthority } from '../identity/keys/key-authority.ts';
import type { ScopeTable } from '../identity/keys/scopes.ts';
import { keyringOf, keyringOfKey, readToken } from '../identity/keys/token.ts';
import { permissionsOf } from '../identity/permissions.ts';
import type { LoopShare } from './loop-share.ts';

type Owned = Pick<SandboxView, 'organisation' | 'developer'>;

/** A manager's, and those of the work-order system, whose place a developer takes on the bus. */
const owner = permissionsOf(['manager', 'integration']);

/** The permissions of a key's scope at the address of a sandbox: its owner's, or none. */
const sandboxScopes: ScopeTable = { sandbox: owner, publish: new Set(), full: owner };

/**
 * The main platform's sessions at a sandbox: its creator and managers of the organisation act as
 * its managers, also on the bus. All others are refused.
 */
export const identityOn = (
  sandbox: Owned,
  main: Identity,
  share: Pick<LoopShare, 'enter'>,
): Identity => ({
  issuer: main.issuer,

  async callerOf(accessToken) {
    const caller = await main.callerOf(accessToken).catch((error: unknown) => {
      throw error instanceof OrganisationRequired ? new NotForCaller() : error;
    });
    // Work after the call to the main platform counts for the sandbox again.
    share.enter();
    const { organisation, actor, roles } = caller;
    const reaches =
      organisation === sandbox.organisation &&
      (roles.includes('manager') || developerOf(organisation, actor) === sandbox.developer);
    if (!reaches) throw new NotForCaller();
    return { ...caller, roles: ['manager'], permissions: owner };
  },
  ready: () => main.ready(),
  reachable: () => main.reachable(),
});

/**
 * The main platform's keys: checked by it and recorded in its audit with the full address. Uses of
 * another organisation's keys are recorded too, and refused without details.
 */
export const keysOn = (
  { organisation }: Owned,
  apiUrl: string,
  main: KeyAuthority,
  share: Pick<LoopShare, 'enter'>,
): KeyAuthority => ({
  async check(token, use) {
    const read = readToken(token);
    const isForeign = read !== null && keyringOfKey(read.keyId) !== keyringOf(organisation);
    const answer = await main.check(token, {
      ...use,
      needs: isForeign ? null : use.needs,
      route: use.route.replace(' ', ` ${apiUrl}`),
      scopes: sandboxScopes,
    });
    share.enter();
    // An invalid credential is a 401 at every address, with or without a sandbox.
    const isValid = answer.allowed || answer.code === 'SCOPE_DENIED';
    if (isForeign && isValid) throw new NotForCaller();
    if (!answer.allowed) return answer;
    if (answer.caller.organisation !== organisation) throw new NotForCaller();
    return answer;
  },
});
