/** A page of another origin, which uses what the visitor's browser sends along. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** @returns the port of a server whose pages are empty, on every name of this host. */
export const hostilePort = async (): Promise<number> => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,">'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** Commands that a signed-in manager may give, each with a body that the server would accept. */
export const commandsOf = (buildingId: string) =>
  [
    ['POST', '/api/service-desk/requests', { buildingId, description: 'forged' }],
    ['POST', '/api/service-desk/views', { name: 'forged' }],
    [
      'PUT',
      '/api/service-desk/configuration',
      { slaPolicies: [], calendars: {}, routingRules: [], workflows: [] },
    ],
    ['POST', '/api/v1/keys', { label: 'forged' }],
    [
      'POST',
      '/api/v1/webhooks',
      { url: 'https://example.com/', events: ['building.point.updated'] },
    ],
    ['POST', '/session/logout', {}],
  ] as const;

type Command = ReturnType<typeof commandsOf>[number];

const TYPES_OF_FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * In the page: sends each command by each mode of `fetch` and as each type of content.
 *
 * @returns what the page could read of the answers.
 */
export const fetchAll = (url: string, commands: readonly Command[]): string => `(async () => {
  const read = [];
  for (const [method, path, body] of ${JSON.stringify(commands)})
    for (const mode of ['cors', 'no-cors', 'same-origin'])
      for (const type of ${JSON.stringify([null, 'application/json', ...TYPES_OF_FORMS])}) {
        const init = { method, mode, credentials: 'include', body: JSON.stringify(body) };
        if (type !== null) init.headers = { 'content-type': type };
        try {
          const answer = await fetch('${url}' + path, init);
          if (answer.type !== 'opaque') read.push(method + ' ' + path + ' ' + mode + ' ' + type);
        } catch {}
      }
  return read;
})()`;

/** In the page: a form for each command and type, into a frame that may be shown. */
export const submitAll = (url: string, commands: readonly Command[]): string => `(async () => {
  for (const [, path, body] of ${JSON.stringify(commands)})
    for (const enctype of ${JSON.stringify(TYPES_OF_FORMS)}) {
      const frame = document.createElement('iframe');
      frame.name = path + enctype;
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '${url}' + path, enctype, target: frame.name });
      const fields = enctype === 'text/plain'
        ? [[JSON.stringify(body).slice(0, -1) + ',"metadata":{"a":"', '"}}']]
        : Object.entries(body).map(([name, value]) => [name, String(value)]);
      for (const [name, value] of fields) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      document.body.append(frame, form);
      const loaded = new Promise((done) => frame.addEventListener('load', done));
      form.submit();
      await loaded;
    }
})()`;

/** In the page: a form in place of the page, to which a browser sends the most. */
export const submitOnTop = (address: string): string => `(() => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: '${address}' });
  document.body.append(form);
  form.submit();
})()`;

/** Addresses that a session opens. */
const SECRETS = [
  '/session',
  '/session/list',
  '/api/v1/me',
  '/api/v1/keys',
  '/api/service-desk/requests',
];

/** In the page: what it can read of the session's data, by every way that there is. */
export const readAll = (url: string): string => `(async () => {
  const read = [];
  const loads = (tag, source) => new Promise((done) => {
    const element = Object.assign(document.createElement(tag), source);
    element.onload = () => done(true);
    element.onerror = () => done(false);
    document.body.append(element);
  });
  for (const path of ${JSON.stringify(SECRETS)}) {
    const address = '${url}' + path;
    for (const mode of ['cors', 'no-cors', 'same-origin']) {
      const answer = await fetch(address, { mode, credentials: 'include' }).catch(() => null);
      if (answer !== null && (await answer.text()) !== '') read.push('fetch ' + mode + ' ' + path);
    }
    if (await loads('img', { src: address })) read.push('image ' + path);
    if (await loads('script', { src: address })) read.push('script ' + path);
    if (await loads('link', { rel: 'stylesheet', href: address })) read.push('style ' + path);
  }
  for (const path of ['/', '/session']) {
    const frame = Object.assign(document.createElement('iframe'), { src: '${url}' + path });
    const loaded = new Promise((done) => frame.addEventListener('load', done));
    document.body.append(frame);
    await loaded;
    try {
      if (frame.contentDocument?.body?.textContent) read.push('frame ' + path);
    } catch {}
  }
  return read;
})()`;

/** In the page: the messages of the live service to a connection with the visitor's cookie. */
export const listenTo = (url: string, buildingId: string): string => `new Promise((done) => {
  const told = [];
  const socket = new WebSocket('${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket');
  const join = '42/buildings,0' + JSON.stringify(['join', { buildingId: '${buildingId}' }]);
  socket.onopen = () => { told.push('open'); socket.send('40/buildings,'); };
  socket.onmessage = ({ data }) => {
    told.push(data);
    if (data.startsWith('40/')) socket.send(join);
    if (data.startsWith('43/') || data.startsWith('44/')) socket.close();
  };
  socket.onclose = () => done(told);
})`;
