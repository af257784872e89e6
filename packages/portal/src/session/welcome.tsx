import type { JSX } from 'preact';
import { Trouble } from '../ui/notices.tsx';
import { NothingHere } from './me.ts';
import { signIn, signOut } from './session.ts';

/** The page before sign-in. */
export const Welcome = ({
  canSignIn,
  error,
}: {
  /** False if the server could not determine the session. */
  readonly canSignIn: boolean;
  readonly error?: unknown;
}): JSX.Element => (
  <main class="welcome">
    <img src="/portal/icon.svg" alt="" width="56" height="56" />
    <h1>Atrium</h1>
    <p class="lead">Tickets, buildings, sandboxes and API keys of your organisation.</p>
    <Trouble error={error} {...(!canSignIn && { again: () => location.reload() })} />
    {canSignIn && (
      <button type="button" class="button primary large" onClick={signIn}>
        Sign in
      </button>
    )}
    {error instanceof NothingHere && (
      <button type="button" class="button" onClick={signOut}>
        Sign out
      </button>
    )}
    <p class="faint small">
      For programs: <a href="/docs">API reference</a>
    </p>
  </main>
);
