import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasEnded, processIdentity } from '../../../src/engine/observe/process-identity.ts';

/** A child that prints its identity and then waits. */
const childIdentity = async () => {
  const module = new URL('../../../src/engine/observe/process-identity.ts', import.meta.url)
    .pathname;
  const code = `import { processIdentity } from ${JSON.stringify(module)};
    console.log(JSON.stringify(processIdentity()));
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const identity = JSON.parse(line.toString()) as NonNullable<ReturnType<typeof processIdentity>>;
  return { child, identity };
};

describe.skipIf(process.platform !== 'linux')('a process', () => {
  it('is alive while it runs, stopped or not, and has ended once it is killed', async () => {
    const { child, identity } = await childIdentity();
    expect(identity).toMatchObject({ pid: child.pid });
    expect(hasEnded(identity)).toBe(false);
    child.kill('SIGSTOP');
    await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/\) [Tt] /);
    expect(hasEnded(identity)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(hasEnded(identity)).toBe(true);
  });

  it('differs from a later one with the same process id', () => {
    const own = processIdentity()!;
    expect(hasEnded(own)).toBe(false);
    expect(hasEnded({ ...own, startedAt: own.startedAt - 1 })).toBe(true);
  });

  it('of another machine, or of an earlier boot of this one, is never reported as ended', () => {
    const own = processIdentity()!;
    expect(hasEnded({ ...own, machine: 'another', pid: 0 })).toBe(false);
  });
});
