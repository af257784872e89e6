/**
 * The authority of a command, which decides what it may address. Unlike its `Actor`, it is not
 * recorded.
 */
export type Authority =
  /** Reaches objects of this organisation only. */
  | { readonly kind: 'organisation'; readonly organisation: string }
  /** Atrium itself, such as a timer or a process: reaches every organisation. */
  | { readonly kind: 'system' };

export const systemAuthority: Authority = { kind: 'system' };

export const authorityOf = (organisation: string): Authority => ({
  kind: 'organisation',
  organisation,
});

/** Whether it may address an object of the organisation `owner`. */
export const mayAddress = (authority: Authority, owner: string): boolean => {
  switch (authority.kind) {
    case 'organisation':
      return authority.organisation === owner;
    case 'system':
      return true;
  }
};
