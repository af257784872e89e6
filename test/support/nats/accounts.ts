/** A NATS server with JWT authentication: operator, accounts and users, as created by `nsc`. */
import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type Pair = ReturnType<typeof nkeys.createUser>;

const base64url = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url');
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Signed as NATS reads it: Ed25519 by the issuer's nkey. */
const signed = (issuer: Pair, subject: Pair, nats: object): string => {
  const claims = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  };
  const header = base64url(JSON.stringify({ typ: 'JWT', alg: 'ed25519-nkey' }));
  const content = `${header}.${base64url(JSON.stringify(claims))}`;
  return `${content}.${base64url(issuer.sign(Buffer.from(content)))}`;
};

const UNLIMITED = {
  subs: -1,
  data: -1,
  payload: -1,
  conn: -1,
  leaf: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
};

/** The system account may have no streams. */
const SYSTEM = { subs: -1, conn: -1, payload: -1, data: -1 };

/** An operator with one account. */
export const natsAccount = () => {
  const operator = nkeys.createOperator();
  const [account, system, stranger] = Array.from({ length: 3 }, () => nkeys.createAccount());
  const accountJwt = (pair: Pair, limits: object) =>
    signed(operator, pair, { type: 'account', limits });
  const credentials = (issuer: Pair): string => {
    const user = nkeys.createUser();
    const jwt = signed(issuer, user, { type: 'user', subs: -1, data: -1, payload: -1 });
    return [
      '-----BEGIN NATS USER JWT-----',
      jwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      textOf(user.getSeed()),
      '------END USER NKEY SEED------',
      '',
    ].join('\n');
  };
  return {
    /** Lines of the server's configuration. */
    config: [
      `operator: ${signed(operator, operator, { type: 'operator' })}`,
      `system_account: ${system!.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${system!.getPublicKey()}: ${accountJwt(system!, SYSTEM)}`,
      `  ${account!.getPublicKey()}: ${accountJwt(account!, UNLIMITED)}`,
      '}',
    ].join('\n'),
    /** The file of a user of the account. */
    ours: () => credentials(account!),
    /** The file of a user of an unknown account. */
    theirs: () => credentials(stranger!),
  };
};
