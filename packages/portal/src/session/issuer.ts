/** Where one signs in, found by what the server says of itself: RFC 9728, then OpenID discovery. */

export interface Issuer {
  /** The address under which the portal is known to the issuer. */
  readonly portal: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Absent where the issuer ends no sessions. */
  readonly endSessionEndpoint?: string;
}

/**
 * A server that is its own issuer signs in at its own address alone: opened at another name of the
 * same machine, the page goes there first.
 *
 * @throws where the server or the issuer does not answer.
 */
export const discoverIssuer = async (): Promise<Issuer> => {
  const resource = (await json('/.well-known/oauth-protected-resource')) as {
    readonly resource: string;
    readonly authorization_servers: readonly string[];
  };
  const issuer = resource.authorization_servers[0]!.replace(/\/$/, '');
  const own = new URL(resource.resource).origin;
  if (new URL(issuer).origin === own && location.origin !== own) {
    location.replace(`${own}/${location.hash}`);
    return new Promise(() => {});
  }
  const found = (await json(`${issuer}/.well-known/openid-configuration`)) as {
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
    readonly end_session_endpoint?: string;
  };
  const endSession = found.end_session_endpoint;
  return {
    portal: location.origin,
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    ...(endSession === undefined ? {} : { endSessionEndpoint: endSession }),
  };
};

const json = async (address: string): Promise<unknown> => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`);
  return answer.json();
};
