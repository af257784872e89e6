/**
 * On whose authority a command is given. Who gives it is its `Actor`, which is another
 * matter: the actor is recorded, the authority decides what may be reached.
 */
export type Authority =
  /** Reaches what belongs to this organisation, and nothing else. */
  | { readonly kind: 'organisation'; readonly organisation: string }
  /** Atrium itself, such as a timer or a process: reaches what belongs to any organisation. */
  | { readonly kind: 'system' };

export const systemAuthority: Authority = { kind: 'system' };

export const authorityOf = (organisation: string): Authority => ({
  kind: 'organisation',
  organisation,
});

/** Whether it may address what belongs to `owner`, an organisation. */
export const mayAddress = (authority: Authority, owner: string): boolean => {
  switch (authority.kind) {
    case 'organisation':
      return authority.organisation === owner;
    case 'system':
      return true;
  }
};
