import { GRANTED_SCOPES, type IssuerSettings } from './configuration.ts';

/** The response of `oidc-provider`. */
export interface PublishedDocument {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The discovery document and the key set by path, equal to those of `oidc-provider`. They are read
 * at each start, which so need not load the library.
 */
export const publishedDocuments = ({
  issuer,
  key: { kty, use, kid, alg, e, n },
}: IssuerSettings): ReadonlyMap<string, PublishedDocument> =>
  new Map([
    ['/.well-known/openid-configuration', document('application/json', discovery(issuer))],
    ['/jwks', document('application/jwk-set+json', { keys: [{ kty, use, kid, alg, e, n }] })],
  ]);

const document = (type: string, content: object): PublishedDocument => {
  const body = JSON.stringify(content);
  return {
    headers: {
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'content-length': String(Buffer.byteLength(body)),
      'content-type': `${type}; charset=utf-8`,
      vary: 'Origin',
    },
    body,
  };
};

const discovery = (issuer: string) => ({
  authorization_endpoint: `${issuer}/auth`,
  device_authorization_endpoint: `${issuer}/device/auth`,
  claims_parameter_supported: false,
  claims_supported: [
    'sub',
    'name',
    'preferred_username',
    'email',
    'email_verified',
    'organization',
    'sid',
    'auth_time',
    'iss',
  ],
  code_challenge_methods_supported: ['S256'],
  end_session_endpoint: `${issuer}/session/end`,
  grant_types_supported: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
  ],
  issuer,
  jwks_uri: `${issuer}/jwks`,
  authorization_response_iss_parameter_supported: true,
  response_modes_supported: ['form_post', 'fragment', 'query'],
  response_types_supported: ['code'],
  scopes_supported: GRANTED_SCOPES.split(' '),
  subject_types_supported: ['public'],
  token_endpoint_auth_methods_supported: [
    'client_secret_basic',
    'client_secret_jwt',
    'client_secret_post',
    'private_key_jwt',
    'none',
  ],
  token_endpoint_auth_signing_alg_values_supported: [
    'HS256',
    'RS256',
    'PS256',
    'ES256',
    'Ed25519',
    'EdDSA',
  ],
  token_endpoint: `${issuer}/token`,
  id_token_signing_alg_values_supported: ['RS256'],
  pushed_authorization_request_endpoint: `${issuer}/request`,
  request_uri_parameter_supported: false,
  userinfo_endpoint: `${issuer}/me`,
  dpop_signing_alg_values_supported: ['ES256', 'Ed25519', 'EdDSA'],
  revocation_endpoint: `${issuer}/token/revocation`,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  claim_types_supported: ['normal'],
});
