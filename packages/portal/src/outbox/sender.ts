/** Sends reports, notes and photos to the server. contract.md section 5. */
import { errorOf } from '../../../sdk/src/problems.ts';
import { postBody } from '../post-body.ts';
import type { Api } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import { fieldErrorsOf, wordsOf } from '../ui/error-words.ts';
import { memberSentence } from '../ui/plain-messages.ts';
import type { Sender } from './outbox.ts';

/** An upload without progress or an answer for this long has lost its connection. */
const SILENT_MAX_MS = 30_000;

export const senderOf = (api: Api, session: Pick<Session, 'headers' | 'resumed'>): Sender => {
  const attach: Sender['attach'] = async (ticketId, photo, onSent) => {
    const silence = new AbortController();
    const lost = () => silence.abort(new Error('The connection was lost.'));
    let timer = setTimeout(lost, SILENT_MAX_MS);
    const body = new FormData();
    body.append('visibility', 'public');
    body.append('file', photo.blob, photo.name);
    try {
      const { status, response } = await postBody({
        session,
        path: `/api/service-desk/requests/${encodeURIComponent(ticketId)}/attachments`,
        body,
        headers: { 'idempotency-key': photo.key },
        signal: silence.signal,
        onSent(sent, total) {
          clearTimeout(timer);
          timer = setTimeout(lost, SILENT_MAX_MS);
          onSent(total === 0 ? 1 : sent / total);
        },
      });
      if (status === 401) {
        clearTimeout(timer);
        await session.resumed();
        return await attach(ticketId, photo, onSent);
      }
      if (status !== 201) throw await errorOf(response);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    attach,
    async give(command, key) {
      const header = { 'Idempotency-Key': key };
      if (command.kind === 'report') {
        const params = { header };
        const { body } = command;
        const { data } = await api.POST('/api/service-desk/requests', { params, body });
        return data.id;
      }
      const { ticketId, body } = command;
      await api.POST('/api/service-desk/requests/{id}/updates', {
        params: { header, path: { id: ticketId } },
        body: { body, visibility: 'public' },
      });
      return ticketId;
    },
    wordsOf(error) {
      const fields = fieldErrorsOf(error);
      return fields.length === 0
        ? wordsOf(error)
        : fields.map(({ path, message }) => memberSentence(path, message)).join('. ');
    },
  };
};
