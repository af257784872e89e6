/** The issuer of {@link file://./issuer-process.ts}, from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../servers/environment.ts';

export interface ForeignIssuer {
  readonly url: string;
  /** Lifetimes of tokens issued from now on, in seconds; and polls to answer with `slow_down`. */
  set(settings: {
    readonly accessTokenS?: number;
    readonly deviceCodeS?: number;
    readonly slowDowns?: number;
  }): Promise<void>;
  /** The requests to its token endpoint since the last reset. */
  asked(): Promise<readonly TokenRequest[]>;
  forget(): Promise<void>;
  approve(userCode: string): Promise<void>;
  deny(userCode: string): Promise<void>;
  /** Every refresh token that it has given. */
  revoke(): Promise<void>;
  stop(): Promise<void>;
}

interface TokenRequest {
  readonly grant: 'device' | 'refresh_token';
  /** `token`, or the code of the error. */
  readonly answer: string;
  /** By the clock of the issuer's process. */
  readonly atMs: number;
}

const PROCESS = fileURLToPath(new URL('issuer-process.ts', import.meta.url));

export const foreignIssuer = async (): Promise<ForeignIssuer> => {
  const child = spawn(process.execPath, [PROCESS], {
    env: programEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  const post = async <Answer>(name: string, body: object = {}): Promise<Answer> => {
    const answer = await fetch(`${url}/control/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Answer;
  };
  return {
    url,
    set: (settings) => post('set', settings),
    asked: () => post('asked'),
    forget: () => post('forget'),
    approve: (userCode) => post('approve', { userCode }),
    deny: (userCode) => post('deny', { userCode }),
    revoke: () => post('revoke'),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
