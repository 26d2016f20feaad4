import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { useWebhookWords } from './webhook-words.ts';

/** Tabs for webhook endpoints and deliveries. */
export function WebhookTabs({ selected }: { readonly selected: 'endpoints' | 'deliveries' }) {
  const words = useWebhookWords();
  return (
    <LinkTabs
      label={words.endpoints}
      selected={selected}
      items={[
        { id: 'endpoints', label: words.endpoints, href: addressOf('webhooks') },
        { id: 'deliveries', label: words.deliveries, href: addressOf('webhookDeliveries') },
      ]}
    />
  );
}
