/** The person that a command is about. contract.md section 11. */
import type { components } from '../../../../sdk/src/index.ts';
import { usageError } from '../../failures.ts';

export type Subject = components['schemas']['NewErasure']['subject'];

export interface SubjectOptions {
  readonly email?: string;
  readonly user?: string;
}

/** @throws {@link CommandFailed} unless one person is named, by address or account. */
export const subjectOf = ({ email, user }: SubjectOptions): Subject => {
  if (email !== undefined && user === undefined) return { email };
  if (user !== undefined && email === undefined) return { userId: user };
  throw usageError('name the person by either --email or --user');
};
