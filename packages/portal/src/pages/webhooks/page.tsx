import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { WebhookDetail } from './detail.tsx';
import { WebhookList } from './list.tsx';

export const WebhooksPage = (): JSX.Element => {
  const {
    path: [, id],
  } = useRoute();
  return id === undefined ? <WebhookList /> : <WebhookDetail key={id} webhookId={id} />;
};
