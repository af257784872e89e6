/** The `atrium` command in a file that brings its own Node. */
import { run } from '../src/program.ts';

void run();
