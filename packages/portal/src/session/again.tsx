import type { JSX } from 'preact';
import { useSubmission } from '../loading.ts';
import { Dialog, Form } from '../ui/controls.tsx';
import type { Session } from './session.ts';

/** The session has ended in the middle of work: what has been typed stays where it is. */
export const SignInAgain = ({ session }: { readonly session: Session }): JSX.Element => (
  <Dialog title="Your session has ended">
    <Form
      of={useSubmission(session.signInAgain)}
      submitLabel="Sign in again"
      onCancel={session.signOut}
    >
      <p>
        Sign in again to go on. Nothing that you have typed is lost, and what you have sent is done
        as soon as you are back.
      </p>
    </Form>
  </Dialog>
);
