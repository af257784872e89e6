import type { components } from '../../../sdk/src/index.ts';

export type Schemas = components['schemas'];
export type Me = Schemas['Me'];
export type Permission = Me['permissions'][number];

/** Somebody who reports, and works on no tickets: other pages are theirs. */
export const isRequester = ({ permissions }: Me): boolean =>
  permissions.includes('service-desk.own:read') &&
  !permissions.includes('service-desk.tickets:read');

/**
 * The person signed in with this browser, or `null`.
 *
 * @throws where the server does not answer, or cannot tell.
 */
export const readSession = async (): Promise<Me | null> => {
  const answer = await fetch('/session');
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(await reasonIn(answer));
  const { actor, organisation, roles, permissions } = (await answer.json()) as Schemas['Session'];
  return { actor, organisation, roles, permissions, credential: 'session' };
};

const reasonIn = async (answer: Response): Promise<string> => {
  const { detail } = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
  return detail ?? `The server answers ${answer.status}.`;
};
