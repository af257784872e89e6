/** The process of one scheduled backup: `atrium backup create` with a low priority. */
import { constants, setPriority } from 'node:os';
import { messageForOperator } from '../operator-error.ts';
import { createCommand } from './create-command.ts';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  process.exitCode = await createCommand({ env: process.env });
} catch (error) {
  process.stderr.write(`${messageForOperator(error) ?? (error as Error).stack}\n`);
  process.exitCode = 1;
}
