/** Commands for users against the platform of a file of tests. */
import { temporaryDirectory } from '../directory.ts';
import { runAtrium, type Ended } from '../servers/cli.ts';
import { until } from '../until.ts';
import type { TestApi } from '../api/api.ts';

export interface EndedCommand extends Ended {
  /** What it printed. @throws If that is no JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  json(): any;
}

export interface CommandLine {
  environment(token: string): Readonly<Record<string, string>>;
  as(email: string, ...words: readonly string[]): Promise<EndedCommand>;
  withToken(token: string, ...words: readonly string[]): Promise<EndedCommand>;
}

/** @param api May be there later than this is called. */
export const commandLine = (api: Pick<TestApi, 'address' | 'issuer'>): CommandLine => {
  const home = temporaryDirectory('cli');
  const environment = (ATRIUM_TOKEN: string) => ({
    ATRIUM_TOKEN,
    ATRIUM_URL: api.address,
    XDG_CONFIG_HOME: home,
  });
  const withToken: CommandLine['withToken'] = async (token, ...words) => {
    const ended = await runAtrium(environment(token), ...words);
    return { ...ended, json: () => JSON.parse(ended.out) };
  };
  return {
    environment,
    withToken,
    as: async (email, ...words) => withToken(await api.issuer.tokenOf(email), ...words),
  };
};

/** The output of a command once a list includes the earlier commands. */
export const followed = async (
  run: () => Promise<EndedCommand>,
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  holds: (printed: any) => boolean = () => true,
): Promise<ReturnType<EndedCommand['json']>> => {
  let ended = await run();
  const isThere = async () => {
    if (ended.code === 0 && holds(ended.json())) return true;
    ended = await run();
    return false;
  };
  await until(isThere, 'the list');
  return ended.json();
};
