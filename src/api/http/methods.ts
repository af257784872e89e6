/** Requests without a route are answered before their body is read. contract.md section 1. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from './errors.ts';
import { Problem } from './problems.ts';

/** The path pattern of routes, and its methods. */
interface KnownPath {
  readonly matches: RegExp;
  readonly params: number;
  readonly methods: Set<string>;
}

/**
 * Answers 405 `METHOD_NOT_ALLOWED` with `Allow` if the path exists with other methods, else 404.
 * Must be registered before the routes.
 *
 * @param before Called before each of these answers; an error of it is answered instead. Default:
 *   nothing.
 */
export const respondUnrouted = (
  app: FastifyInstance,
  before?: (request: FastifyRequest) => Promise<unknown>,
): void => {
  const paths = new Map<string, KnownPath>();
  /** By the URL of a route: the paths that it matches too, with fewer parameters. */
  const moreExact = new Map<string, readonly KnownPath[]>();

  app.addHook('onRoute', ({ url, method }) => {
    // Pre-flight requests are answered on every path.
    if (url === '*') return;
    const entry = paths.get(url) ?? knownPath(url);
    for (const one of [method].flat()) entry.methods.add(one);
    paths.set(url, entry);
    matchesAny = undefined;
    moreExact.clear();
  });

  /** One pattern for all paths together, because most unknown requests match none. */
  let matchesAny: RegExp | undefined;
  const knownAt = (path: string): KnownPath | undefined => {
    matchesAny ??= new RegExp([...paths.values()].map(({ matches }) => matches.source).join('|'));
    if (!matchesAny.test(path)) return undefined;
    return [...paths.values()]
      .filter(({ matches }) => matches.test(path))
      .toSorted((a, b) => a.params - b.params)[0];
  };
  /**
   * The more exact path of a request that a route with parameters has taken, because this one lacks
   * the method: `/keys/audit` of `DELETE /keys/:keyId`.
   */
  const takenFrom = (url: string | undefined, path: string): KnownPath | undefined => {
    const taker = url === undefined ? undefined : paths.get(url);
    if (url === undefined || taker === undefined || taker.params === 0) return undefined;
    let others = moreExact.get(url);
    if (others === undefined) {
      others = [...paths]
        .filter(([other, { params }]) => params < taker.params && taker.matches.test(other))
        .map(([, entry]) => entry);
      moreExact.set(url, others);
    }
    return others.find(({ matches }) => matches.test(path));
  };
  // Created once: unknown paths are requested often, and creating an error costs more than the
  // answer.
  const nothing = new Problem('NOT_FOUND', 'There is no resource at this address.');

  app.addHook('onRequest', (request, reply, done) => {
    const { is404, method, routeOptions, url } = request;
    // The router takes the asterisk for a slash. Of the whole server, only OPTIONS may ask.
    const isOfServer = url.startsWith('*') && method !== 'OPTIONS';
    const path = url.split('?', 1)[0]!;
    const entry = is404 ? knownAt(path) : takenFrom(routeOptions.url, path);
    if (!entry && !is404 && !isOfServer) return done();
    const answer = () => {
      if (!entry || isOfServer) return void sendProblem(nothing, request, reply);
      const allow = [...entry.methods, 'OPTIONS'].join(', ');
      void reply.header('allow', allow);
      done(new Problem('METHOD_NOT_ALLOWED', `This path accepts ${allow}.`));
    };
    if (before) before(request).then(answer, done);
    else answer();
  });
};

const knownPath = (url: string): KnownPath => {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return {
    matches: new RegExp(`^${parts.join('/')}$`),
    params: parts.filter((part) => part === '[^/]+' || part === '.*').length,
    methods: new Set(),
  };
};
