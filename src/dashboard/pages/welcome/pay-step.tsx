import { LinkButton } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type { Progress } from '../../parts/welcome/progress.ts';
import { useWords } from '../../words/words.ts';

/** Test card that is never declined. */
const card = { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' } as const;

/** Opens the checkout of the first customer and shows a test card. Continues automatically after the payment. */
export function PayStep({ progress: { open } }: { readonly progress: Progress }) {
  const words = useWords('welcome');
  const [subscription] = open.nodes;
  if (subscription === undefined || subscription.checkoutUrl === null)
    return <Text color="muted">{words.sellFirst}</Text>;
  return (
    <Stack gap={4}>
      <Text as="p" color="muted">
        {words.payText({ email: subscription.customer.email })}
      </Text>
      <FactList
        items={[
          { label: words.card, value: <Copy value={card.number} /> },
          { label: words.expiry, value: <Copy value={card.expiry} /> },
          { label: words.cvc, value: <Copy value={card.cvc} /> },
        ]}
      />
      <div>
        <LinkButton kind="primary" href={subscription.checkoutUrl} target="_blank" rel="noreferrer">
          {words.openCheckout}
        </LinkButton>
      </div>
    </Stack>
  );
}
