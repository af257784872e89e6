import { inject } from 'vitest';

/** An issuer as a platform trusts it, and where its tokens come from. */
export interface TokenSource {
  readonly url: string;
  /** Of a demo user. */
  tokenOf(email: string): Promise<string>;
}

/** The development issuer of this run. */
export const issuerOfRun = (): TokenSource => {
  const url = inject('issuerUrl');
  const tokens = new Map<string, Promise<string>>();
  const issued = async (email: string): Promise<string> => {
    const answer = await fetch(`${url}/dev-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  return {
    url,
    tokenOf(email) {
      const known = tokens.get(email) ?? issued(email);
      tokens.set(email, known);
      return known;
    },
  };
};
