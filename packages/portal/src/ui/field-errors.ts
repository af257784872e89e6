/** The errors of single fields in a refused body, for the person who filled them in. */
import { fieldErrorsOf } from './error-words.ts';
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

/** Moves the focus to the first field with an error, if there is one. */
export const focusInvalid = (within: Element | null): void =>
  within?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
