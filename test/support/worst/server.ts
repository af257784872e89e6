/** A server as it is shipped, that tells how long its event loop was held. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { signingIssuer } from '../../identity/oidc/signing-issuer.ts';
import { programEnvironment } from '../servers/environment.ts';
import { freePort } from '../servers/port.ts';
import { letPass } from '../until.ts';
import type { Holding } from './monitor.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const MONITOR = fileURLToPath(new URL('monitor.ts', import.meta.url));

export interface MeasuredServer {
  readonly url: string;
  /** From now on. */
  begin(): Promise<void>;
  /** Since `begin`. */
  report(): Promise<Holding>;
  /** The same, with the fixed piece of work done once more. */
  held(): Promise<Holding>;
  /** A token of this organisation; `null`: of none. */
  tokenOf(role: string, organisation: string | null, sub?: string): Promise<string>;
  stop(): Promise<void>;
  /** At once, whatever it does. */
  kill(): void;
}

/** @param env Where its log and its database are. Resolves when it is ready. */
export const measuredServer = async (env: Record<string, string>): Promise<MeasuredServer> => {
  const issuer = await signingIssuer();
  const port = String(await freePort());
  const child = spawn(process.execPath, ['--import', MONITOR, MAIN], {
    env: {
      ...programEnvironment(),
      LOG_LEVEL: 'error',
      OIDC_ISSUER: issuer.url,
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://localhost:${port}`;
  const tokens = new Map<string, { readonly token: string; readonly untilMs: number }>();

  const ask = async (what: 'begin' | 'report' | 'calibrate'): Promise<Holding> => {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${said}`);
    const told = once(child, 'message');
    child.send(what);
    return ((await told) as [Holding])[0];
  };

  for (let look = 0; ; look += 1) {
    if (child.exitCode !== null || look > 1_200) throw new Error(`no server:\n${said}`);
    const ready = await fetch(`${url}/health/ready`).catch(() => null);
    if (ready?.ok) break;
    await letPass(50, 'the pause between two looks');
  }

  return {
    url,
    async begin() {
      await ask('begin');
    },
    report: () => ask('report'),
    held: () => ask('calibrate'),
    async tokenOf(role, organisation, sub = role) {
      const name = `${role} ${organisation} ${sub}`;
      const known = tokens.get(name);
      if (known && known.untilMs > performance.now()) return known.token;
      const token = await issuer.token({
        sub,
        organization: organisation ?? undefined,
        realm_access: { roles: [role] },
      });
      tokens.set(name, { token, untilMs: performance.now() + 120_000 });
      return token;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await issuer.close();
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
};
