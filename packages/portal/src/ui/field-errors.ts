/** The error of one field in a refused body, in words for the person who filled it in. */
import { fieldErrorsOf } from './notices.tsx';
import { plainMessage } from './plain-messages.ts';

/** The first error at this member, or below it. */
export const errorAt = (error: unknown, path: string): string | undefined => {
  const found = fieldErrorsOf(error).find(
    (fieldError) =>
      fieldError.path === path ||
      fieldError.path.startsWith(`${path}.`) ||
      fieldError.path.startsWith(`${path}[`),
  );
  return found && plainMessage(found.message);
};
