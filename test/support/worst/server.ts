/** A server as shipped, which reports how long its event loop was held. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { signingIssuer } from '../../identity/oidc/signing-issuer.ts';
import { programEnvironment } from '../servers/environment.ts';
import { freePort } from '../servers/port.ts';
import { letPass, until } from '../until.ts';
import type { Holding } from './monitor.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const MONITOR = fileURLToPath(new URL('monitor.ts', import.meta.url));

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly role: string;
  readonly body?: (() => string | Buffer) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly host?: string | undefined;
  /** The subject, for several users of a role. Default: the role itself. */
  readonly sub?: string | undefined;
  /** Whether to retry after a 503, which is common on a busy machine. Default true. */
  readonly isPatient?: boolean | undefined;
}

export interface Answer {
  /** 0 where the connection ended first. */
  readonly status: number;
  readonly text: string;
}

export interface MeasuredServer {
  readonly url: string;
  readonly port: string;
  readonly pid: number;
  /** Starts a measurement. @returns The measurement since the last one. */
  begin(): Promise<Holding>;
  /** The measurement since `begin`. */
  report(): Promise<Holding>;
  /** Like `report`, with the fixed piece of work repeated and the heap after garbage collection. */
  measure(): Promise<Holding>;
  /** Calls as a user of this organisation. */
  call(organisation: string, asked: Asked): Promise<Answer>;
  /** A token of this organisation; `null`: of none. */
  tokenOf(role: string, organisation: string | null, sub?: string): Promise<string>;
  stop(): Promise<void>;
  /** At once, whatever it does. */
  kill(): void;
}

const COME_AGAIN_MAX = 5;
const COME_AGAIN_MS = 2_000;
const TOKEN_USED_MAX_MS = 120_000;

/** @param env Where its log and its database are. Resolves when it is ready. */
export const measuredServer = async (env: Record<string, string>): Promise<MeasuredServer> => {
  const issuer = await signingIssuer();
  const port = String(await freePort());
  const child = spawn(process.execPath, ['--import', MONITOR, MAIN], {
    env: {
      ...programEnvironment(),
      LOG_LEVEL: 'error',
      OIDC_ISSUER: issuer.url,
      // Webhooks are sent to a receiver on this machine.
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://localhost:${port}`;
  // An idle connection is closed before the server, which may be busy, closes it.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 1_000 });
  const tokens = new Map<string, { readonly token: string; readonly untilMs: number }>();

  const ask = async (what: 'begin' | 'report' | 'measure'): Promise<Holding> => {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${said}`);
    const reply = once(child, 'message');
    child.send(what);
    return ((await reply) as [Holding])[0];
  };

  const tokenOf = async (role: string, organisation: string | null, sub = role) => {
    const name = `${role} ${organisation} ${sub}`;
    const known = tokens.get(name);
    if (known && known.untilMs > performance.now()) return known.token;
    const token = await issuer.token({
      sub,
      organization: organisation ?? undefined,
      realm_access: { roles: [role] },
    });
    tokens.set(name, { token, untilMs: performance.now() + TOKEN_USED_MAX_MS });
    return token;
  };

  const callOnce = async (organisation: string, asked: Asked): Promise<Answer> => {
    const { method, path, role, body, headers, host, sub } = asked;
    const token = await tokenOf(role, role === 'operator' ? null : organisation, sub);
    const sent = body?.() ?? null;
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent === null ? {} : { 'content-type': 'application/json' }),
        ...(host === undefined ? {} : { host }),
        ...headers,
      },
      body: sent,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };

  let readiness = 'no answer';
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error('the server ended');
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    readiness = answer === null ? 'no answer' : await answer.text();
    return answer?.ok === true;
  };
  try {
    await until(isReady, 'readiness');
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`no server: ${readiness}\n${said}`, { cause: error });
  }

  return {
    url,
    pid: child.pid!,
    port,
    begin: () => ask('begin'),
    report: () => ask('report'),
    measure: () => ask('measure'),
    tokenOf,
    async call(organisation, asked) {
      for (let again = 0; ; again += 1) {
        const answer = await callOnce(organisation, asked);
        const isLast = asked.isPatient === false || again === COME_AGAIN_MAX;
        if (answer.status !== 503 || isLast) return answer;
        await letPass(COME_AGAIN_MS, 'what Retry-After asks for');
      }
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await agent.destroy();
      await issuer.close();
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
};
