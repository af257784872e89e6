/** The process of one scheduled backup: `atrium backup create` with a low priority. */
import { constants, setPriority } from 'node:os';
import { messageForOperator } from '../operator-error.ts';
import { createCommand } from './create-command.ts';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  process.exitCode = await createCommand({ env: process.env });
} catch (error) {
  const { stack, message } = error as Error;
  // The server logs the last line.
  process.stderr.write(`${messageForOperator(error) ?? `${stack}\n${message}`}\n`);
  process.exitCode = 1;
}
