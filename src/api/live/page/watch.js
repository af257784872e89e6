/** The page at `/docs/live`: shows the live events of a building. */
import { io } from './socket.io.js';

const ROWS_MAX = 200;
const BUILDINGS_MAX = 100;

const element = (id) => document.getElementById(id);
const say = (text) => (element('status').textContent = text);

/** Rows to be added with the next animation frame: hundreds may arrive at once. */
let waiting = [];
let count = 0;
let session = null;

const showWaiting = () => {
  const rows = waiting.slice(-ROWS_MAX).toReversed();
  waiting = [];
  const events = element('events');
  events.prepend(...rows.map(rowOf));
  while (events.childElementCount > ROWS_MAX) events.lastElementChild.remove();
  element('count').textContent = String(count);
};

const rowOf = ({ body, position }) => {
  const row = document.createElement('tr');
  for (const text of [body.timestamp, body.event, JSON.stringify(body.data), position]) {
    const cell = document.createElement('td');
    cell.textContent = text;
    row.append(cell);
  }
  return row;
};

const show = (body, position) => {
  count += 1;
  waiting.push({ body, position });
  if (waiting.length === 1) requestAnimationFrame(showWaiting);
};

/** Disconnects, and forgets the position. */
const end = () => {
  session?.disconnect();
  session = null;
  element('leave').disabled = true;
};

const listen = (buildingId, name) => {
  end();
  let since;
  let ending = null;
  const socket = io('/buildings', {
    transports: ['websocket'],
    auth: (send) => send({ token: element('token').value.trim() }),
  });
  session = socket;
  element('leave').disabled = false;
  say('Connecting …');
  // By a callback: events may arrive in the same turn, before an await goes on.
  const joined = ({ ok, code, position, resync }) => {
    if (!ok) return say(`Not joined: ${code}.`);
    if (since === undefined || resync) since = position;
    say(`Listening to ${name}${resync ? '; something was missed.' : '.'}`);
  };
  socket.on('connect', () => socket.emit('join', { buildingId, since }, joined));
  socket.on('session.ending', ({ code }) => (ending = code));
  socket.on('disconnect', () => {
    if (session === socket) say(`Disconnected${ending === null ? '.' : `: ${ending}.`}`);
  });
  // The server sends no reason to an origin that is not listed, so this page gives the hint.
  socket.on('connect_error', ({ data }) =>
    say(
      data
        ? `Refused: ${data.code}. ${data.detail}`
        : `No connection. Is ${location.origin} among the server's CORS_ORIGINS?`,
    ),
  );
  socket.onAny((_event, body, position) => {
    if (position === undefined) return;
    since = position;
    show(body, position);
  });
};

const options = (buildings) =>
  buildings.map(({ id, code, name }) => new Option(`${code} · ${name}`, id));

const find = async () => {
  end();
  const answer = await fetch(`/api/v1/buildings?limit=${BUILDINGS_MAX}`, {
    headers: { authorization: `Bearer ${element('token').value.trim()}` },
  });
  const body = await answer.json();
  element('listen').hidden = !answer.ok || body.items.length === 0;
  if (!answer.ok) return say(`Refused: ${body.code}. ${body.detail}`);
  element('building').replaceChildren(...options(body.items));
  say(body.items.length === 0 ? 'There are no buildings.' : 'Pick a building.');
};

element('find').addEventListener('submit', (event) => {
  event.preventDefault();
  find().catch(() => say('The server does not respond.'));
});

element('listen').addEventListener('submit', (event) => {
  event.preventDefault();
  const { value, selectedOptions } = element('building');
  listen(value, selectedOptions[0].textContent);
});

element('leave').addEventListener('click', () => {
  end();
  say('Not connected.');
});
