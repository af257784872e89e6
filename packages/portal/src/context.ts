import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api, Me, Permission } from './session/requests.ts';
import type { Session } from './session/session.ts';

export interface Portal {
  readonly session: Session;
  readonly api: Api;
  readonly me: Me;
  readonly may: (permission: Permission) => boolean;
  /** Says for a while what has been done. */
  readonly say: (words: string) => void;
}

export const PortalContext = createContext<Portal | null>(null);

export const usePortal = (): Portal => {
  const portal = useContext(PortalContext);
  if (portal === null) throw new Error('outside the shell');
  return portal;
};
