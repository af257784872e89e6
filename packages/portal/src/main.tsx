/** Entry: signs in, finds out who that is, and shows what they may. */
import { render } from 'preact';
import { Welcome } from './session/welcome.tsx';
import { discoverIssuer } from './session/issuer.ts';
import { handBack, openSession, takeCode } from './session/session.ts';
import { Shell } from './shell.tsx';
import { applyTheme } from './theme.ts';

const root = document.getElementById('portal')!;

const start = async (): Promise<void> => {
  try {
    const issuer = await discoverIssuer();
    const refusal = await takeCode(issuer).then(
      () => undefined,
      (error: unknown) => error,
    );
    const session = openSession(issuer);
    if (session.isOpen()) render(<Shell session={session} />, root);
    else render(<Welcome signIn={session.signIn} error={refusal} />, root);
  } catch (error) {
    render(<Welcome error={error} />, root);
  }
};

applyTheme();
if (handBack()) root.textContent = 'You are signed in. This window can be closed.';
else void start();
