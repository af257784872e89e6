import { UsageError } from './operator-error.ts';

/** The value of an option. @throws {@link OperatorError} unless it is 1 to 9 digits. */
export const wholeNumber = (option: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${option}: not a whole number: ${text}`);
};
