import type { components } from '../../../sdk/src/index.ts';

export type Schemas = components['schemas'];
export type OwnSandbox = Schemas['OwnSandbox'];
export interface Me extends Readonly<Schemas['Me']> {
  /** The sandbox that serves this page; absent at the main platform. */
  readonly sandbox?: OwnSandbox;
}
export type Permission = Me['permissions'][number];

/** Someone who reports problems and works on no tickets: they get other pages. */
export const isRequester = ({ permissions }: Me): boolean =>
  permissions.includes('service-desk.own:read') &&
  !permissions.includes('service-desk.tickets:read');

/** Whether the actor is this person; an erased person has a placeholder as id. */
export const isSelf = ({ actor: own }: Pick<Me, 'actor'>, actor: Schemas['Actor']): boolean =>
  !actor.erased && actor.kind === own.kind && actor.id === own.id;

/** The sandbox of this address does not exist, or the person may not use it. */
export class NothingHere extends Error {
  override readonly name = 'NothingHere';

  constructor() {
    super('This sandbox has expired, was deleted, or is not yours.');
  }
}

/**
 * The person who has signed in with this browser, or `null`.
 *
 * @throws {@link NothingHere}; an error if the server does not answer or cannot determine the
 * session.
 */
export const readSession = async (): Promise<Me | null> => {
  const answer = await fetch('/session');
  if (answer.status === 401) return null;
  if (answer.status === 404) throw new NothingHere();
  if (!answer.ok) throw new Error(await reasonIn(answer));
  const { actor, organisation, roles, permissions, sandbox } =
    (await answer.json()) as Schemas['Session'];
  const me = { actor, organisation, roles, permissions, credential: 'session' } as const;
  return sandbox === undefined ? me : { ...me, sandbox };
};

const reasonIn = async (answer: Response): Promise<string> => {
  const { detail } = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
  return detail ?? `The server responded with status ${answer.status}.`;
};
