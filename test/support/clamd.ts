/** A real `clamd` with one signature of its own, where the program is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clamdAt } from '../../src/files/scanner/clamd.ts';
import { temporaryDirectory } from './directory.ts';
import { until } from './until.ts';

/** Whether the program is on the PATH. */
export const hasClamd = spawnSync('clamd', ['--version']).error === undefined;

/** Made up, so that no scanner of the machine that runs the tests takes these files for malware. */
export const MALWARE = 'atrium test signature 4711';
export const SIGNATURE = 'Atrium.Test.UNOFFICIAL';

export interface TestClamd {
  readonly path: string;
  stop(): Promise<void>;
}

/** @param streamMaxMib Largest file that it takes. */
export const startClamd = async (streamMaxMib = 26): Promise<TestClamd> => {
  const directory = temporaryDirectory('clamd');
  const signatures = join(directory, 'signatures');
  mkdirSync(signatures);
  writeFileSync(
    join(signatures, 'atrium.ndb'),
    `Atrium.Test:0:*:${Buffer.from(MALWARE).toString('hex')}\n`,
  );
  const path = join(directory, 'clamd.ctl');
  const configuration = join(directory, 'clamd.conf');
  writeFileSync(
    configuration,
    `Foreground yes
DatabaseDirectory ${signatures}
LocalSocket ${path}
TemporaryDirectory ${directory}
StreamMaxLength ${streamMaxMib}M
`,
  );
  const child = spawn('clamd', ['--config-file', configuration], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const ready = async () => {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`);
    return (await clamdAt({ path }).ready()) === true;
  };
  await until(ready, 'a clamd that answers');
  return {
    path,
    async stop() {
      child.kill();
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
