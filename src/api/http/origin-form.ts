const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** The authority of a request target in absolute form; `undefined` in any other form. */
export const authorityOf = (target: string): string | undefined => ABSOLUTE.exec(target)?.[1];

/** The path and query of a request target, whatever its form. RFC 9112, section 3.2. */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const rest = target.replace(ABSOLUTE, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
};
