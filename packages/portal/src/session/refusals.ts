/** Why a sign-in failed, by the error code that the server puts into the address. */
const refusals: Readonly<Record<string, string>> = {
  refused: 'The sign-in was refused, or was begun elsewhere or too long ago. Please sign in again.',
  unavailable: 'The identity provider cannot be reached. Please try again in a moment.',
  'organisation-required':
    'This account belongs to no organisation, or to several. Choose one when you sign in.',
};

/** `undefined`: no sign-in was refused. */
export const refusalIn = (search: string): Error | undefined => {
  const code = new URLSearchParams(search).get('sign-in');
  if (code === null) return undefined;
  return new Error(Object.hasOwn(refusals, code) ? refusals[code] : refusals['refused']);
};
