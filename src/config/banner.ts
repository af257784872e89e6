import { accounts } from '../identity/development/accounts.ts';

/** The facts printed at a start. None of them is a secret. */
export interface StartFacts {
  readonly version: string;
  /** `null`: neither a checkout nor an image that names it. */
  readonly commit: string | null;
  readonly node: string;
  readonly environment: string;
  readonly roles: string;
  /** Where it listens: `127.0.0.1:4000`. */
  readonly listener: string;
  /** Which event log. */
  readonly log: string;
  readonly database: string;
  readonly data: string;
  /** `null`: this process serves no pages. */
  readonly portal: string | null;
  readonly docs: string | null;
  /** `null`: not served. */
  readonly metrics: string | null;
  readonly health: string;
  /** `null`: the development issuer. */
  readonly issuer: string | null;
}

/** Printed after a start for people; `seconds` is how long it took. */
export const banner = (facts: StartFacts, seconds: number): string => {
  const { version, commit, node, environment, roles, issuer, portal } = facts;
  const lines: readonly (readonly [string, string | null])[] = [
    ['Portal', portal],
    ['API reference', facts.docs],
    ['Metrics', facts.metrics ?? 'not served: METRICS_PORT is not set'],
    ['Health', facts.health],
    ['Listens on', `${facts.listener}, as ${roles}`],
    ['Log', facts.log],
    ['Database', facts.database],
    ['Data', facts.data],
    ['Sign in as', issuer === null ? demoAccounts() : `at ${issuer}`],
  ];
  const release = `Atrium ${version}${commit === null ? '' : ` (${commit.slice(0, 8)})`}`;
  const shown = lines.flatMap(([name, what]) =>
    what === null ? [] : [`    ${name.padEnd(13)}  ${what}\n`],
  );
  return `
  ${release} is ready (${seconds.toFixed(1)} s), ${environment}, Node ${node}

${shown.join('')}${issuer !== null || portal === null ? '' : tryIt(portal)}
    Stop with Ctrl-C; everything is kept.
`;
};

const tryIt = (url: string): string => `
    A token of the demo agent, in another terminal:
      export ATRIUM_URL=${url}
      TOKEN=$(npx atrium dev-token agent@acme.test)
    Its tickets:
      curl -H "Authorization: Bearer $TOKEN" $ATRIUM_URL/api/service-desk/requests
`;

/** `agent, manager @acme.test or @globex.test; operator @atrium.test`, without a line each. */
const demoAccounts = (): string => {
  const hostsOf = new Map<string, string[]>();
  for (const { email } of accounts) {
    const [user, host] = email.split('@') as [string, string];
    hostsOf.set(user, [...(hostsOf.get(user) ?? []), host]);
  }
  const usersAt = new Map<string, string[]>();
  for (const [user, hosts] of hostsOf) {
    const domains = hosts.map((host) => `@${host}`).join(' or ');
    usersAt.set(domains, [...(usersAt.get(domains) ?? []), user]);
  }
  return [...usersAt].map(([hosts, users]) => `${users.join(', ')} ${hosts}`).join('; ');
};
