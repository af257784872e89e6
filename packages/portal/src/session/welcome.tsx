import type { JSX } from 'preact';
import { useSubmission } from '../loading.ts';
import { Trouble } from '../ui/notices.tsx';

/** Before one has signed in. */
export const Welcome = ({
  signIn,
  error,
}: {
  /** Left out where the issuer cannot be found. */
  readonly signIn?: () => Promise<void>;
  readonly error?: unknown;
}): JSX.Element => {
  const entering = useSubmission(async () => signIn?.());
  return (
    <main class="welcome">
      <img src="/portal/icon.svg" alt="" width="56" height="56" />
      <h1>Atrium</h1>
      <p class="lead">Tickets, buildings, sandboxes and API keys of your organisation.</p>
      <Trouble
        error={error ?? entering.error}
        {...(!signIn && { again: () => location.reload() })}
      />
      {signIn && (
        <button
          type="button"
          class="button primary large"
          onClick={entering.submit}
          disabled={entering.isBusy}
        >
          Sign in
        </button>
      )}
      <p class="faint small">
        For programs: <a href="/docs">API reference</a>
      </p>
    </main>
  );
};
