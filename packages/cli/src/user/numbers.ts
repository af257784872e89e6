/** Numbers among the options of a command. */
import { InvalidArgumentError } from 'commander';

export const whole = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number.');
};

export const decimal = (text: string): number => {
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number.');
};

export const count = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number from 1 to 999,999.');
};
