import { inject } from 'vitest';

/** A trusted issuer, and a source of its tokens. */
export interface TokenSource {
  readonly url: string;
  /** A token of a demo user. */
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
