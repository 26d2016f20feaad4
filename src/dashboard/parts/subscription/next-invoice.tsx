import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { InvoicePreview } from '../billing/invoice-preview.tsx';
import { CommandPreviewDocument } from '../billing/previewed.graphql';
import { useSubscriptionWords } from '../subscription-words.ts';

/** Shows the invoices for the next renewal, as previewed by the API. Follows the events of the subscription. */
export function NextInvoice({ subscriptionId }: { readonly subscriptionId: string }) {
  const { page: words } = useSubscriptionWords();
  const { data, error, refetch } = useData(CommandPreviewDocument, {
    command: { renewal: { id: subscriptionId } },
  });
  useRefetchOnEvents({ objectId: subscriptionId }, refetch);
  const invoices = data?.subscriptionPreview.invoices ?? [];
  return (
    <Section title={words.nextInvoice} description={words.nextInvoiceHelp}>
      {data === null && error === null && <Loading lines={3} />}
      {data === null && error?.isUncertain === true && <Callout tone="negative">{error.message}</Callout>}
      {data === null && error?.isUncertain === false && <Text color="muted">{words.noNextInvoice}</Text>}
      {data?.subscriptionPreview.rejection && (
        <Callout tone="warning">{data.subscriptionPreview.rejection.message}</Callout>
      )}
      {data !== null && invoices.length === 0 && <Text color="muted">{words.noNextInvoice}</Text>}
      <Stack gap={3}>
        {invoices.map((invoice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: invoices to come have no id and a fixed place.
          <InvoicePreview key={index} invoice={invoice} />
        ))}
      </Stack>
    </Section>
  );
}
